/** What a person would tell about checkpoint. */
import type { Fact } from 'nudgechart';
import { createSut } from 'nudgechart/testing';
import { expect, it } from 'vitest';
import { checkpointPolicy } from './checkpoint.machine.ts';

const MINUTE = 60_000;

const edited: Fact = { type: 'tool.finished', tool: 'edit', name: 'Edit', command: null, failed: false, by: 'main' };
const committed: Fact = { ...edited, tool: 'shell', name: 'Bash', command: 'git commit -am wip' };

function session() {
  return createSut({ policy: checkpointPolicy, options: { intervalMs: 30 * MINUTE } });
}

it('speaks at the first change after half an hour, and once', async () => {
  const sut = session();
  expect(await sut.tell(edited)).toBeNull();
  sut.now += 30 * MINUTE;
  expect(await sut.tell(edited)).toBeNull();
  sut.now += 2 * MINUTE;
  expect(await sut.tell(edited)).toEqual({
    text: '[checkpoint] Files have been changed for 32 minutes without a commit. If it works, commit it, then go on.',
    continue: false,
  });
  sut.now += 20 * MINUTE;
  expect(await sut.tell(edited)).toBeNull();
});

it('is silent while commits are made', async () => {
  const sut = session();
  for (let i = 0; i < 5; i += 1) {
    sut.now += 20 * MINUTE;
    expect(await sut.tell(edited)).toBeNull();
    expect(await sut.tell(committed)).toBeNull();
  }
  expect(sut.states()).toEqual({});
});

it('takes no failed commit for one', async () => {
  const sut = session();
  await sut.tell(edited, { ...committed, failed: true });
  sut.now += 31 * MINUTE;
  expect(await sut.tell(edited)).not.toBeNull();
});
