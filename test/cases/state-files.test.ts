/** Group F of the case list: state files that are cut, decorated or of the wrong kind, and the tasks that they bring back. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/index.ts';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { fact, SECOND, T, type World } from '../support/world.ts';
import { documentFile, hookAt, type Place, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;
const asideIn = ({ root }: Place): string[] =>
  fs.readdirSync(path.join(root, 'sessions', SESSION)).filter((name) => name.includes('.corrupt-'));

/** A document of a task that was last reported on at T + 1 s, without marker files, and the engine that reads it. */
async function withDocument(): Promise<{ here: Place; world: World; file: string; bytes: Buffer }> {
  const here = place();
  const world = worldIn(here, { news: [] });
  await world.tell(fact.opened('t', 'ann', T), SESSION);
  await world.tell(fact.updated('t', 'ann', T + 1), SESSION);
  const file = documentFile(here);
  world.now = DUE + 1000;
  return { here, world, file, bytes: fs.readFileSync(file) };
}

describe('a document that is cut', () => {
  it('B65: whole, it is one that would remind', async () => {
    const { world } = await withDocument();
    expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
  });

  it('B65: a document cut at any byte is silent and is left as it is', async () => {
    const { here, world, file, bytes } = await withDocument();
    for (let length = 0; length < bytes.length; length += 1) {
      fs.writeFileSync(file, bytes.subarray(0, length));
      const before = tree(here.root);
      expect(await world.tell(fact.tool(), SESSION), `${length} bytes`).toBeNull();
      expect(tree(here.root)).toEqual(before);
    }
  });

  it.each([
    ['empty', ''],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['only NULs', '\0'.repeat(300)],
    ['two documents', '{}{}'],
    ['deep', '['.repeat(100_000)],
  ])(
    'B65: one that is %s is silent; the next opening puts it aside, bytes and all, and starts anew',
    async (_name, text) => {
      const { here, world, file } = await withDocument();
      fs.writeFileSync(file, text);
      const before = tree(here.root);
      expect(await world.tell(fact.tool(), SESSION)).toBeNull();
      expect(tree(here.root)).toEqual(before);
      expect(await world.tell(fact.opened('u', 'bob', world.now), SESSION)).toBeNull();
      const [aside = '', ...more] = asideIn(here);
      expect(more).toEqual([]);
      expect(fs.readFileSync(path.join(path.dirname(file), aside), 'utf8')).toBe(text);
      expect(world.states(SESSION)).toEqual({ 'task/["bob","u"]': 'executing' });
    },
  );

  it('B65: what is put aside is bounded, however often it happens', async () => {
    const { here, world } = await withDocument();
    for (let n = 0; n < 20; n += 1) {
      fs.writeFileSync(documentFile(here), `broken ${n}`);
      // Put aside under the time of day: two of one millisecond would share a name.
      const until = Date.now() + 2;
      while (Date.now() < until);
      await world.tell(fact.opened(`t-${n}`, 'ann', world.now), SESSION);
      expect(asideIn(here).length).toBeLessThanOrEqual(8);
    }
    expect(asideIn(here).length).toBeGreaterThan(5);
  });

  it('B65: a session whose head is gone is silent and is left as it is', async () => {
    const { here, file } = await withDocument();
    fs.rmSync(path.join(path.dirname(file), `head.${path.basename(file, '.json')}`));
    const before = tree(path.dirname(file));
    expect(await hookAt(here, DUE, postToolUse(SESSION))).toEqual(SILENT);
    expect(tree(path.dirname(file))).toEqual(before);
  });
});

describe('a marker file that is cut', () => {
  const marker = Buffer.from(JSON.stringify({ peer: 'zoë', since: T + 30 * SECOND, task_id: 't🙂' }));

  it('B65: a marker cut at any byte is silent and is left as it is', async () => {
    const here = place();
    const { folder } = interlink(here.state, SESSION);
    fs.mkdirSync(folder, { recursive: true });
    const world = worldIn(here);
    world.now = T + 300 * SECOND;
    for (let length = 0; length < marker.length; length += 1) {
      fs.writeFileSync(path.join(folder, 'current-task.json'), marker.subarray(0, length));
      const before = tree(here.folder);
      expect(await world.tell(fact.tool(), SESSION), `${length} bytes`).toBeNull();
      expect(tree(here.folder)).toEqual(before);
    }
    fs.writeFileSync(path.join(folder, 'current-task.json'), marker);
    expect((await world.tell(fact.tool(), SESSION))?.text).toContain('"t🙂" for "zo');
  });

  it('B65: a known marker that is read half-written is still the task that it was', async () => {
    const here = place();
    const theirs = interlink(here.state, SESSION);
    theirs.open('t', 'ann', T);
    const world = worldIn(here);
    await world.tell(fact.tool(), SESSION);
    world.now = T + 61 * SECOND;
    fs.writeFileSync(path.join(theirs.folder, 'current-task.json'), '{"peer":"an');
    expect((await world.tell(fact.tool(), SESSION))?.text).toContain('"t" for "ann"');
    expect(world.states(SESSION)).toEqual({ 'task/marker': 'nudged' });
  });

  // The case list asks for silence; by design.md a stamp that can't be read doesn't count, and the marker's own age does.
  it('B65: stamps cut at any byte never count as long ago', async () => {
    const stamp = String(T + 60 * SECOND);
    for (const name of ['last-update', 'last-nudge']) {
      for (let length = 0; length < stamp.length; length += 1) {
        const here = place();
        const theirs = interlink(here.state, SESSION);
        theirs.open('t', 'ann', T + 30 * SECOND);
        theirs.nudged(T + 30 * SECOND);
        fs.writeFileSync(path.join(theirs.folder, name), stamp.slice(0, length));
        const world = worldIn(here);
        world.now = DUE;
        expect(await world.tell(fact.tool(), SESSION), `${name}, ${length} bytes`).toBeNull();
        world.now = T + 90 * SECOND;
        expect(await world.tell(fact.tool(), SESSION)).toBeNull();
        world.now = T + 91 * SECOND;
        expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
      }
    }
  });
});

describe('decorated text', () => {
  const payload = JSON.stringify(postToolUse(SESSION));

  it('B67: a byte order mark before the payload, the document and the marker is accepted', async () => {
    const here = place();
    await sessionWithTask(here);
    const file = documentFile(here);
    fs.writeFileSync(file, `\uFEFF${fs.readFileSync(file, 'utf8').replaceAll(',', ',\r\n')}`);
    expect(contextOf(await hookAt(here, DUE, `\uFEFF${payload}\r\n`))).toContain('"t" for "ann"');

    const there = place();
    const theirs = interlink(there.state, SESSION);
    theirs.open('t', 'ann', T);
    const marker = path.join(theirs.folder, 'current-task.json');
    fs.writeFileSync(marker, `\uFEFF${fs.readFileSync(marker, 'utf8').replaceAll(',', ',\r\n')}\r\n`);
    fs.writeFileSync(path.join(theirs.folder, 'last-update'), `${T}\r\n`);
    expect(contextOf(await hookAt(there, DUE, payload))).toContain('"t" for "ann"');
  });

  it.each([
    ['little', Buffer.from(`\uFEFF${payload}`, 'utf16le')],
    ['big', Buffer.from(`\uFEFF${payload}`, 'utf16le').swap16()],
  ])('B67: a payload in UTF-16, %s end first, is silence and is counted', async (_name, bytes) => {
    const here = place();
    await sessionWithTask(here);
    expect(await hookAt(here, DUE, bytes)).toEqual(SILENT);
    expect(fs.readFileSync(path.join(here.root, 'failures.jsonl'), 'utf8')).toContain('PAYLOAD_UNREADABLE');
  });

  it('B67: a document in UTF-16 is silent and is left as it is', async () => {
    const { here, world, file, bytes } = await withDocument();
    fs.writeFileSync(file, Buffer.from(`\uFEFF${bytes.toString('utf8')}`, 'utf16le'));
    const before = tree(here.root);
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
    expect(tree(here.root)).toEqual(before);
  });
});

describe('the size of the state folder', () => {
  it('B73: a tool call does the same things to files, however many other sessions there are', async () => {
    const counted: Record<string, number>[] = [];
    for (const others of [0, 400]) {
      const here = place();
      await sessionWithTask(here);
      for (let n = 0; n < others; n += 1) fs.mkdirSync(path.join(here.root, 'sessions', `other-session-${n}`));
      const calls: Record<string, number> = {};
      const files = new Proxy(nodeFiles, {
        get:
          (target, name: keyof typeof nodeFiles) =>
          (...args: never[]) => {
            calls[name] = (calls[name] ?? 0) + 1;
            return (target[name] as (...args: never[]) => unknown)(...args);
          },
      });
      const world = worldIn(here, { files });
      world.now = DUE;
      expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
      counted.push(calls);
    }
    expect(counted[1]).toEqual(counted[0]);
  });

  it('B73: what nobody has used for 30 days goes at the start of a session; what was used since stays', async () => {
    const here = place();
    await sessionWithTask(here);
    const sessions = path.join(here.root, 'sessions');
    const [now, day] = [T + 1000, 86_400];
    for (let n = 0; n < 60; n += 1) {
      const folder = path.join(sessions, `other-session-${n}`);
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'trace.jsonl'), '');
      const old = T / 1000 - (n < 50 ? 31 : 29) * day;
      if (n !== 0) fs.utimesSync(path.join(folder, 'trace.jsonl'), old, old);
      fs.utimesSync(folder, old, old);
    }
    const start = { ...postToolUse(SESSION), hook_event_name: 'SessionStart', source: 'startup' };
    expect(await hookAt(here, now, start)).toEqual(SILENT);
    const left = fs.readdirSync(sessions).sort();
    // Number 0 is old, but somebody has decided something in it since.
    expect(left).toEqual(
      [SESSION, ...[0, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59].map((n) => `other-session-${n}`)].sort(),
    );
  });
});
