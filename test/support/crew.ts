/** A work source whose workers exist on paper only: `crew send <scope>` hands out, `crew wait` waits. */
import type { WorkItem } from '../../src/core/events.ts';
import type { Scope, WorkSource } from '../../src/core/ports.ts';

export interface Crew extends WorkSource {
  /** What is in progress; an error: it can't be told. */
  work: readonly string[] | Error;
  /** Every question that was asked. */
  readonly asked: Scope[];
  /** Every line that was recorded, with its scopes. */
  readonly recorded: [scopes: readonly string[], line: string][];
}

export function createCrew(name = 'crew', work: readonly string[] | Error = []): Crew {
  const crew: Crew = {
    name,
    work,
    asked: [],
    recorded: [],
    dispatched(fact) {
      if (fact.type !== 'tool.finished' || fact.failed) return null;
      const [program, verb, ...scopes] = fact.command?.split(' ') ?? [];
      return program === name && verb === 'send' ? scopes : null;
    },
    isWait: (command) => command === `${name} wait`,
    async inProgress(about) {
      crew.asked.push(about);
      if (crew.work instanceof Error) throw crew.work;
      return crew.work.map((ref): WorkItem => ({ ref, owner: 'w', state: 'IN_PROGRESS' }));
    },
    report: ({ scopes }, items) => `[${name}] ${items.length} in progress in ${scopes.join(' ')}`,
    record: (scopes, line) => void crew.recorded.push([scopes, line]),
  };
  return crew;
}
