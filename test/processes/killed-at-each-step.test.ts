import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFileStore } from '../../adapters/store/file-store.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { sweep } from '../../adapters/store/sweep.ts';
import { tempDir } from '../support/temp-dir.ts';
import { add, historyIn, namesIn } from './history.ts';
import { type Call, isChange, watched } from './layers.ts';
import { startWriter } from './programs.ts';

const SESSION = 'session-that-is-killed';
const TWO_HOURS = 2 * 3_600_000;

interface Step {
  /** Which change to files, 1 is the first. */
  readonly change: number;
  readonly act: 'kill' | 'tear';
  readonly committed: boolean;
}

const moments = [
  { what: 'the first commit', before: [] },
  { what: 'a later commit', before: ['one', 'two'] },
];

it.each(moments)('leaves the document before or the one after, wherever it is killed in $what', async ({ before }) => {
  const base = tempDir();
  const steps = stepsOf(path.join(base, 'dry'), before);
  expect(steps.filter(({ act }) => act === 'tear')).not.toEqual([]);
  for (const [number, { change, act, committed }] of steps.entries()) {
    const root = path.join(base, String(number));
    prepare(root, before);
    const killed = await startWriter({ root, session: SESSION, entries: ['killed'], fault: { change, act } });
    killed.go();
    expect((await killed.ended).signal).toBe('SIGKILL');

    const found = committed ? [...before, 'killed'] : before;
    expect(historyIn(root, SESSION)).toEqual(found);

    const next = await startWriter({ root, session: SESSION, entries: ['next'] });
    next.go();
    expect(await next.ended).toMatchObject({ code: 0, stderr: '', stdout: 'ready\ncommitted next\n' });
    expect(historyIn(root, SESSION)).toEqual([...found, 'next']);
    expect(namesIn(root, SESSION)).toHaveLength(2);
    expect(sessionsIn(root).filter((name) => !name.startsWith('.new-'))).toEqual([SESSION]);
    sweep(root, nodeFiles, Date.now() + TWO_HOURS, () => false);
    expect(sessionsIn(root)).toEqual([SESSION]);
  }
});

it('removes a proposal that a killed process left behind as soon as its number is passed, not earlier', () => {
  const root = tempDir();
  prepare(root, ['one', 'two']);
  const left = path.join(root, 'sessions', SESSION, '5-00000000deadbeef.json');
  fs.writeFileSync(left, '{"cut');
  const store = createFileStore({ root });
  add(store, SESSION, 'three');
  add(store, SESSION, 'four');
  expect(fs.existsSync(left)).toBe(true);
  add(store, SESSION, 'five');
  expect(fs.existsSync(left)).toBe(false);
  expect(historyIn(root, SESSION)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

/** A commit, as it is: each change to files is a step, and each writing of a text two. */
function stepsOf(root: string, before: readonly string[]): Step[] {
  prepare(root, before);
  const calls: Call[] = [];
  const files = watched({ before: (call) => void (isChange(call) && calls.push(call)) });
  add(createFileStore({ root, files }), SESSION, 'killed');
  const commit = calls.findIndex(({ name }) => name === 'rename');
  return calls.flatMap(({ name, args: [, text] }, index) => {
    const step = { change: index + 1, committed: index > commit };
    const writes = name === 'create' && text !== '';
    return [{ ...step, act: 'kill' }, ...(writes ? [{ ...step, act: 'tear' } as const] : [])] as Step[];
  });
}

function prepare(root: string, entries: readonly string[]): void {
  fs.mkdirSync(root, { recursive: true });
  for (const entry of entries) add(createFileStore({ root }), SESSION, entry);
}

function sessionsIn(root: string): string[] {
  return fs.readdirSync(path.join(root, 'sessions'));
}
