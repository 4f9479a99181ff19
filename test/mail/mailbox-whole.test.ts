import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Files } from '../../adapters/store/files.ts';
import { type Call, isChange, nodeError, watched } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { boxOf, letter, newFolder, textsIn } from './post.ts';

type Trouble = 'before' | 'after' | 'torn';

/** One kind of change fails: not carried out, carried out all the same, or half of it. */
function troubled(step: keyof Files, trouble: Trouble): Files {
  const meet = ({ name, args: [file, text] }: Call, moment: 'before' | 'after') => {
    if (name !== step || (moment === 'after') !== (trouble === 'after')) return;
    if (trouble === 'torn') fs.writeFileSync(String(file), String(text).slice(0, 20));
    throw nodeError('ENOSPC');
  };
  return watched({ before: (call) => meet(call, 'before'), after: (call) => meet(call, 'after') });
}

/** @returns whether the sender was told that it went */
function delivers(root: string, text: string, files: Files): boolean {
  try {
    boxOf(root, files).deliver(letter(text));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
    return false;
  }
}

const CASES = (['makeFolders', 'createSynced', 'rename', 'syncFolder'] as const).flatMap((step) => {
  const troubles: Trouble[] = step === 'createSynced' ? ['before', 'after', 'torn'] : ['before', 'after'];
  return troubles.map((trouble) => ({ step, trouble }));
});

it('is written, moved, and made to last', () => {
  const calls: Call[] = [];
  boxOf(tempDir(), watched({ before: (call) => void (isChange(call) && calls.push(call)) })).deliver(letter('dry'));
  const names = calls.map(({ name }) => name).filter((name) => name !== 'makeFolders');
  expect(names).toEqual(['createSynced', 'rename', 'syncFolder']);
});

describe.each(CASES)('when $step fails, $trouble', ({ step, trouble }) => {
  it('the whole letter is there or nothing, and the sender hears of it when nothing is', () => {
    const root = tempDir();
    boxOf(root).deliver(letter('before'));
    const sent = delivers(root, 'this one', troubled(step, trouble));
    expect(sent ? ['before,this one'] : ['before', 'before,this one']).toContain(textsIn(boxOf(root)).join());
    for (const name of fs.readdirSync(newFolder(root))) {
      expect(() => JSON.parse(fs.readFileSync(path.join(newFolder(root), name), 'utf8'))).not.toThrow();
    }
  });

  it('the next letter goes through, after those before', () => {
    const root = tempDir();
    boxOf(root).deliver(letter('before'));
    delivers(root, 'this one', troubled(step, trouble));
    boxOf(root).deliver(letter('after'));
    expect(textsIn(boxOf(root)).filter((text) => text !== 'this one')).toEqual(['before', 'after']);
  });
});

it('works in a folder that could not be made at first', () => {
  const root = tempDir();
  expect(() => boxOf(root, troubled('makeFolders', 'before')).deliver(letter('lost'))).toThrow();
  expect(textsIn(boxOf(root))).toEqual([]);
  boxOf(root).deliver(letter('kept'));
  expect(textsIn(boxOf(root))).toEqual(['kept']);
});

it('is on disk before its name can be seen, and its name before the sender is answered', () => {
  const root = tempDir();
  boxOf(root).open();
  const order: string[] = [];
  const opened = new Map<number, string>();
  const [open, sync, rename] = [fs.openSync, fs.fsyncSync, fs.renameSync];
  const short = (file: unknown) => path.relative(path.join(newFolder(root), '..'), String(file)).split(path.sep)[0];
  vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
    const fd = open(...args);
    opened.set(fd, short(args[0]) ?? '');
    return fd;
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
    order.push(`sync ${opened.get(fd)}`);
    sync(fd);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    order.push(`rename ${short(from)} ${short(to)}`);
    rename(from, to);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  boxOf(root).deliver(letter('synced'));
  expect(order).toEqual(['sync tmp', 'rename tmp new', 'sync new']);
});

// Product fault: after the rename the letter is there, whatever comes of the folder's sync; a sender that is told
// "nothing was done" sends it again.
it.each(['before', 'after'] as const)('does not report a failure about a letter that lies there, %s', (trouble) => {
  const root = tempDir();
  const sent = delivers(root, 'this one', troubled('syncFolder', trouble));
  expect(textsIn(boxOf(root))).toEqual(sent ? ['this one'] : []);
});

// Product fault: nobody ever looks into tmp/ again.
it('leaves nothing behind in tmp/ when a letter could not be moved', () => {
  const root = tempDir();
  expect(delivers(root, 'this one', troubled('rename', 'before'))).toBe(false);
  expect(fs.readdirSync(path.join(newFolder(root), '../tmp'))).toEqual([]);
});
