/** Group F of the case list, third part: what stands in the place of a file, and is none. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { fact, SECOND, T } from '../support/world.ts';
import { documentFile, hookAt, nudgesWhile, place, SILENT, sessionWithTask, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;
const MEGABYTE = 1024 * 1024;

/** Each puts something in the place of a file; `whole` is what the file would hold. */
const OBSTACLES: Record<string, (file: string, whole: string) => void | Promise<void>> = {
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'a folder': (file) => void fs.mkdirSync(file),
  'a socket': (file) => listening(file),
  'a link to /dev/zero': (file) => fs.symlinkSync('/dev/zero', file),
  'a link to nowhere': (file) => fs.symlinkSync('/nonexistent/nowhere', file),
  'a link to a good file'(file, whole) {
    fs.writeFileSync(`${file}.elsewhere`, whole);
    fs.symlinkSync(`${file}.elsewhere`, file);
  },
  // What counts is what stands first: the file is a good one but for its length.
  'a file of 50 MB': (file, whole) => fs.writeFileSync(file, whole + ' '.repeat(50 * MEGABYTE)),
};
const obstacles = Object.keys(OBSTACLES);

/** A socket has at most 107 characters, so it is made under a short name and moved. */
async function listening(file: string): Promise<void> {
  const short = path.join(fs.mkdtempSync('/tmp/s-'), 's');
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(short, resolve));
  fs.renameSync(short, file);
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    fs.rmSync(path.dirname(short), { recursive: true, force: true });
  });
}

async function replace(file: string, obstacle: string): Promise<void> {
  const whole = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.rmSync(file, { force: true });
  await OBSTACLES[obstacle]?.(file, whole);
}

function looksAsBefore(file: string) {
  const { ino, mode, size } = fs.lstatSync(file);
  return { ino, mode, size };
}

describe.each(obstacles)('%s', (obstacle) => {
  it('B74: in the place of a marker is no task, and stays', async () => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    theirs.open('t', 'ann', T);
    const file = path.join(theirs.folder, 'current-task.json');
    await replace(file, obstacle);
    const before = looksAsBefore(file);
    expect(await hookAt(here, DUE, postToolUse(SESSION))).toEqual(SILENT);
    const world = worldIn(here);
    world.now = DUE;
    await world.tell(fact.opened('own', 'bob', DUE), SESSION);
    await world.tell(fact.closed('own', 'bob', 'result'), SESSION);
    expect(looksAsBefore(file)).toEqual(before);
  });

  it.each(['last-update', 'last-nudge'])(
    'B74: in the place of %s does not count, and the reminder is given once',
    async (name) => {
      const here = place();
      const theirs = interlink(here.state, SESSION);
      theirs.open('t', 'ann', T);
      await replace(path.join(theirs.folder, name), obstacle);
      // A process, because a pipe would hold the test itself.
      expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION)))).toContain('"t" for "ann"');
      const later = await nudgesWhile(worldIn(here), {
        from: DUE,
        to: DUE + 60 * SECOND,
        stepMs: SECOND,
        session: SESSION,
      });
      expect(later).toEqual([]);
    },
  );

  it('B74: in the place of the document is silence', async () => {
    const here = place();
    await sessionWithTask(here);
    fs.rmSync(here.markers, { recursive: true });
    const file = documentFile(here);
    await replace(file, obstacle);
    const before = looksAsBefore(file);
    expect(await hookAt(here, DUE, postToolUse(SESSION))).toEqual(SILENT);
    expect(looksAsBefore(file)).toEqual(before);
  });

  it('B74: in the place of the document is put aside by the next opening', async () => {
    const here = place();
    const world = await sessionWithTask(here);
    await replace(documentFile(here), obstacle);
    await world.tell(fact.opened('u', 'bob', T), SESSION);
    world.now = DUE;
    expect((await world.tell(fact.tool(), SESSION))?.text).toContain('"u" for "bob"');
  });

  it('B74: in the place of the trace does not hold a hook, nor change its answer', async () => {
    const here = place();
    await sessionWithTask(here);
    await replace(path.join(here.root, 'sessions', SESSION, 'trace.jsonl'), obstacle);
    expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION)))).toContain('"t" for "ann"');
  }, 8_000);

  it('B74: in the place of the count of failures does not hold a hook', async () => {
    const here = place();
    await sessionWithTask(here);
    await replace(path.join(here.root, 'failures.jsonl'), obstacle);
    expect(await hookAt(here, DUE, 'no JSON')).toEqual(SILENT);
  }, 8_000);

  it('B74: in the place of a session is silence', async () => {
    const here = place();
    await sessionWithTask(here);
    const folder = path.join(here.root, 'sessions', SESSION);
    fs.rmSync(folder, { recursive: true });
    fs.rmSync(here.markers, { recursive: true });
    await replace(folder, obstacle);
    expect(await hookAt(here, DUE, postToolUse(SESSION))).toEqual(SILENT);
  });
});

it('B74: a marker may name a task of any length up to 64 KiB, and one of 1 MB is no news', async () => {
  for (const [length, told] of [
    [60_000, true],
    [MEGABYTE, false],
  ] as const) {
    const here = place();
    interlink(here.state, SESSION).open('A'.repeat(length), 'ann', T);
    const text = contextOf(await hookAt(here, DUE, postToolUse(SESSION)));
    expect(text !== null).toBe(told);
    expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(2048);
  }
});
