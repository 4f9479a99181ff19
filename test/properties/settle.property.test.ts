/** At most one continuation and one question per run, whatever happens in whatever order; over memory and files. */
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import type { Fact } from '../../src/core/events.ts';
import type { StateStore } from '../../src/core/ports.ts';
import { type Crew, createCrew } from '../support/crew.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, SECOND, T, type World } from '../support/world.ts';

const { ended, prompt, shell } = fact;

/** What can happen, and what the crew has in progress from then on. */
interface Happening {
  readonly fact: Fact;
  readonly work: readonly string[] | Error;
}

const background = fc.constantFrom<{ kind: string; command: string }[]>(
  [],
  [{ kind: 'shell', command: 'make' }],
  [{ kind: 'shell', command: 'crew wait' }],
);
const anyFact: fc.Arbitrary<Fact> = fc.oneof(
  { arbitrary: fc.constantFrom(shell('crew send a'), shell('crew send b'), shell('ls')), weight: 4 },
  {
    arbitrary: fc
      .record({
        outcome: fc.constantFrom('completed' as const, 'completed' as const, 'aborted' as const, 'error' as const),
        continued: fc.boolean(),
        background,
      })
      .map((more) => ended(more)),
    weight: 6,
  },
  { arbitrary: fc.constantFrom(prompt(null), prompt(null, 'host')), weight: 2 },
  {
    arbitrary: fc
      .constantFrom(...(['startup', 'resume', 'compact', 'clear', 'fork'] as const))
      .map((source): Fact => ({ type: 'session.started', source })),
    weight: 1,
  },
);
const anyHappening: fc.Arbitrary<Happening> = fc.record({
  fact: anyFact,
  work: fc.constantFrom<readonly string[] | Error>(['a/1'], ['a/1', 'b/2'], [], new Error('down')),
});

function beginsRun(told: Fact): boolean {
  if (told.type === 'session.started') return ['startup', 'resume', 'clear'].includes(told.source);
  return told.type === 'prompt.submitted' && told.from === 'request';
}

const handsOut = (told: Fact) => told.type === 'tool.finished' && told.command?.startsWith('crew send') === true;

/** What one run has brought so far, counted apart from the charts. */
interface Count {
  continuations: number;
  questions: number;
  dispatched: boolean;
  interrupted: boolean;
}

/** Follows the happenings through the engine, and shows each step to the judge. */
async function follow(
  happenings: readonly Happening[],
  { world, crew }: { world: World; crew: Crew },
  judge: (happening: Happening, isContinued: boolean, count: Count) => void,
): Promise<void> {
  const nothing: Count = { continuations: 0, questions: 0, dispatched: false, interrupted: false };
  let count = { ...nothing };
  for (const [n, happening] of happenings.entries()) {
    const { fact: told, work } = happening;
    world.now = T + n * SECOND;
    crew.work = work;
    if (beginsRun(told)) count = { ...nothing };
    if (handsOut(told)) count = { ...count, dispatched: true, interrupted: false };
    const asked = crew.asked.length;
    const isContinued = (await world.tell(told)) !== null;
    count.questions += crew.asked.length - asked;
    count.continuations += isContinued ? 1 : 0;
    judge(happening, isContinued, count);
    if (told.type === 'turn.ended' && told.outcome !== 'completed') count.interrupted = true;
  }
}

async function settles(happenings: readonly Happening[], store?: StateStore): Promise<void> {
  const crew = createCrew();
  const world = createWorld({ work: [crew], ...(store ? { store } : {}) });
  await follow(happenings, { world, crew }, ({ fact: told, work }, isContinued, count) => {
    expect(count.continuations).toBeLessThanOrEqual(1);
    expect(count.questions).toBeLessThanOrEqual(1);
    if (count.questions > 0) expect(count.dispatched).toBe(true);
    if (isContinued) {
      expect(told).toMatchObject({ type: 'turn.ended', outcome: 'completed' });
      expect(work).toEqual(expect.arrayContaining(['a/1']));
      expect(count.interrupted).toBe(false);
    }
    expect(JSON.stringify(world.context('settle/session')).length).toBeLessThan(1000);
  });
}

describe('settle', () => {
  it('continues a run at most once, asks at most once, and only what handed out work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyHappening, { maxLength: 40 }), (happenings) => settles(happenings)),
      { numRuns: 300 },
    );
  });

  it('does so over files too', async () => {
    const root = tempDir();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyHappening, { maxLength: 20 }), (happenings) => {
        n += 1;
        return settles(happenings, createFileStore({ root: path.join(root, String(n)) }));
      }),
      { numRuns: 40 },
    );
  });
});

describe('close', () => {
  it('continues a run at most once, never while something runs in the background, never after an interruption', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyHappening, { maxLength: 40 }), async (happenings) => {
        const crew = createCrew();
        const world = createWorld({ work: [crew], closes: ['crew'], rule: '' });
        await follow(happenings, { world, crew }, ({ fact: told }, isContinued, count) => {
          expect(count.questions).toBeLessThanOrEqual(1);
          expect(count.continuations).toBeLessThanOrEqual(count.questions);
          if (!isContinued) return;
          expect(told).toMatchObject({ type: 'turn.ended', outcome: 'completed', background: [] });
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('both together', () => {
  it('continue a run at most once each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyHappening, { maxLength: 40 }), async (happenings) => {
        const [crew, own] = [createCrew(), createCrew('own', ['own/1'])];
        const world = createWorld({ work: [crew, own], closes: ['own'] });
        await follow(happenings, { world, crew }, (_, _isContinued, count) => {
          expect(count.continuations).toBeLessThanOrEqual(2);
        });
      }),
      { numRuns: 200 },
    );
  });
});
