/** Between the charts and the work sources: what was handed out, what is still in progress, what goes into a log. */
import type { Effect } from '../core/effects.ts';
import type { Fact, WorkItem } from '../core/events.ts';
import type { Scope, WorkSource } from '../core/ports.ts';

/** How long a work source may take to answer. */
const WORK_MS = 3000;

/**
 * The facts as the charts get them: each is followed by the dispatches that sources see in it, and what waits for work in
 * the background is marked as such.
 */
export function withWork(sources: readonly WorkSource[], facts: readonly Fact[]): Fact[] {
  return facts.flatMap((fact) => [
    fact.type === 'turn.ended' ? { ...fact, background: markedAll(sources, fact.background) } : fact,
    ...sources.flatMap((source): Fact[] => {
      const scopes = safely(() => source.dispatched(fact), null);
      if (scopes === null) return [];
      const prompt = fact.type === 'tool.finished' ? (fact.prompt ?? null) : null;
      return [{ type: 'work.dispatched', source: source.name, scopes: [...scopes], prompt }];
    }),
  ]);
}

type Background = Extract<Fact, { type: 'turn.ended' }>['background'][number];

/** Reading a command takes its time, and a host may name any number of them. */
const MOST_COMMANDS = 64 * 1024;

function markedAll(sources: readonly WorkSource[], background: Background[]): Background[] {
  let left = MOST_COMMANDS;
  return background.map((entry) => {
    left -= entry.command?.length ?? 0;
    return left < 0 ? entry : marked(sources, entry);
  });
}

function marked(sources: readonly WorkSource[], { kind, command }: Background): Background {
  const waits = command !== null && sources.some((source) => safely(() => source.isWait(command), false));
  return { kind: waits ? 'wait' : kind, command };
}

/** Asks every source that these effects ask, all at once. One fact per question, in order; a source never fails us. */
export async function askWork(
  sources: readonly WorkSource[],
  session: string,
  effects: readonly Effect[],
): Promise<Fact[]> {
  const asks = effects.flatMap((effect) => (effect.type === 'askWork' ? effect.params.asks : []));
  return await Promise.all(
    asks.map(async ({ source: name, scopes }): Promise<Fact> => {
      try {
        const source = sources.find((one) => one.name === name);
        if (source === undefined) throw new Error('no such work source');
        const about = { session, scopes };
        const items = await limited(source, about);
        const report = items.length === 0 ? '' : source.report(about, items);
        return { type: 'work.counted', source: name, items, report };
      } catch (error) {
        return { type: 'work.unknown', source: name, reason: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

/** A source that doesn't heed its signal is not waited for either. */
async function limited(source: WorkSource, about: Scope): Promise<WorkItem[]> {
  const signal = AbortSignal.timeout(WORK_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${WORK_MS} ms`)), { once: true });
  });
  return await Promise.race([source.inProgress(about, signal), late]);
}

/** Hands the lines that these effects record to their sources. */
export function recordWork(sources: readonly WorkSource[], effects: readonly Effect[]): void {
  const lines = effects.flatMap((effect) => (effect.type === 'record' ? effect.params.lines : []));
  for (const { source: name, scopes, line } of lines) {
    safely(() => sources.find((one) => one.name === name)?.record(scopes, line), undefined);
  }
}

function safely<T>(call: () => T, otherwise: T): T {
  try {
    return call();
  } catch {
    return otherwise;
  }
}
