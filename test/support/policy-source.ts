/** Policies as a user writes them: files that speak at a tool call, once a request, but for what a test puts in. */
import fs from 'node:fs';
import path from 'node:path';
import { addPolicy } from '../../src/commands/add.ts';
import type { Surroundings } from '../../src/commands/surroundings.ts';

/** Each a piece of source text. */
export interface Pieces {
  /** Before everything else. */
  readonly top?: string;
  /** What the guard answers; `event` and `context` are in reach. */
  readonly guard?: string;
  /** What is put into the context; `event` is in reach. */
  readonly told?: string;
  /** What the text is; `name` is the tool that was used. */
  readonly text?: string;
  /** More transitions, from where it has spoken. */
  readonly more?: string;
  /** Where the chart stands after it has spoken, a property name. */
  readonly spoken?: string;
  readonly version?: number;
  readonly options?: string;
}

export function policySource(id: string, pieces: Pieces = {}): string {
  const { top = '', guard = 'true', told = '1', more = '', spoken = 'spoken', version = 1 } = pieces;
  return `import { definePolicy, type Event } from 'nudgechart';
import { assign, setup } from 'xstate';
import * as z from 'zod/mini';
${top}
const machine = setup({
  types: { events: {} as Event, context: {} as { options: unknown; told: number } },
  guards: { isTime: ({ context, event }) => ${guard} },
  actions: { tell: assign(({ event }) => ({ told: ${told} })), forget: assign({ told: 0 }), nudge: (_, params) => {} },
}).createMachine({
  id: ${JSON.stringify(id)},
  version: '${version}',
  context: ({ input }) => ({ options: input?.options, told: 0 }),
  initial: 'quiet',
  states: {
    quiet: {
      on: {
        'tool.finished': {
          guard: 'isTime',
          target: ${JSON.stringify(spoken)},
          actions: [{ type: 'nudge', params: ({ event }) => ({ continue: false, name: event.name }) }, 'tell'],
        },
      },
    },
    [${JSON.stringify(spoken)}]: { on: { 'prompt.submitted': { target: 'quiet', actions: 'forget' }, ${more} } },
  },
});
export const policy = definePolicy({
  machine,
  options: () => ${pieces.options ?? 'z.object({})'},
  context: () => z.object({ told: z.number() }),
  instanceKey: (event) => (event.type === 'tool.finished' ? 'session' : null),
  text([{ params: { name } }]) {
    return ${pieces.text ?? `'a word of ${id}'`};
  },
  migrations: {},
  examples: () => ({ events: { 'tool.finished': [{}], 'prompt.submitted': [{}], 'turn.ended': [{}] } }),
});
`;
}

/** A policy's file in the project, and what \`nudgechart add\` says of it. */
export async function addSource(
  here: Surroundings,
  id: string,
  pieces: Pieces = {},
  options?: string,
): Promise<number> {
  const file = path.join(here.cwd ?? '', `${id}.ts`);
  fs.writeFileSync(file, policySource(id, pieces));
  return await addPolicy({ what: file, options }, here);
}
