/** Group K of the case list, second part: session ids and links that lead elsewhere. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { peersIn, presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { sessionKey } from '../../adapters/store/root.ts';
import { contextOf, start } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { fact, SECOND, T } from '../support/world.ts';
import { hookAt, PLUGIN, type Place, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;

const IDS = [
  '../../evil',
  '../evil',
  '/etc/x',
  'C:\\x',
  '..\\..\\x',
  'a/b',
  '.',
  '..',
  '...',
  'con',
  'nul.txt',
  'a\u0000b',
  '%2e%2e%2f',
  'x'.repeat(300),
  'x'.repeat(301),
  '🙂',
  '-rf',
  '--help',
  '\u00e9',
  'e\u0301',
  'a b',
  '~',
  '$HOME',
  '*',
  'sessions',
  '_0123456789abcdef0123456789abcdef',
  '__proto__',
  'head.1-a',
  'x\ny',
  'abc',
  'abc.',
];

/** Everything around the places where state may be, with something to be caught reading or writing. */
function around(): Place & { outside: () => string[] } {
  const here = place();
  for (const bait of ['evil', 'state/evil', 'state/interlink/evil', 'state/nudgechart/evil', 'x', 'b']) {
    const folder = path.join(here.folder, bait);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, 'current-task.json'), `{"peer":"eve","since":${T},"task_id":"bait"}`);
  }
  const inside = (line: string) =>
    /^state\/(nudgechart\/(sessions|hosts|swept|failures|compiled)|interlink\/task\/)/.test(line);
  return { ...here, outside: () => tree(here.folder).filter((line) => !inside(line)) };
}

describe('a session id', () => {
  it('B118: of any shape stays below the root, and works', async () => {
    const here = around();
    fs.mkdirSync(here.markers, { recursive: true });
    const before = here.outside();
    const world = worldIn(here);
    for (const id of IDS) await world.tell(fact.opened(`task ${IDS.indexOf(id)}.`, 'ann', T), id);
    world.now = DUE;
    for (const id of IDS)
      expect((await world.tell(fact.tool(), id))?.text, id).toContain(`task "task ${IDS.indexOf(id)}."`);
    expect(here.outside()).toEqual(before);
    const folders = fs.readdirSync(path.join(here.root, 'sessions'));
    expect(folders).toHaveLength(IDS.length);
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(IDS.length);
    for (const folder of folders) expect(folder).toMatch(/^([a-z0-9][a-z0-9-]{7,63}|_[0-9a-f]{32})$/);
    for (const folder of fs.readdirSync(here.markers)) expect(folder).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
  });

  it.each(IDS.slice(0, 19))('B118: %j gives a hook no way out, neither with a task nor without', async (id) => {
    const here = around();
    const before = here.outside();
    const host = { CLAUDE_PID: '4242' };
    for (const payload of [sessionStart(id), postToolUse(id)]) {
      expect(await hookAt(here, DUE, payload, host)).toEqual(SILENT);
    }
    await worldIn(here).tell(fact.opened('t', 'ann', T), id);
    expect(contextOf(await hookAt(here, DUE, postToolUse(id)))).toContain('"t" for "ann"');
    expect(here.outside()).toEqual(before);
  });

  it.each(['\ud800abcdefgh', 'abcdefgh\udfff'])('B118: %j, which is no Unicode, is refused', async (id) => {
    const here = around();
    const before = tree(here.folder);
    await expect(worldIn(here).tell(fact.opened('t', 'ann', T), id)).rejects.toMatchObject({ code: 'SESSION_INVALID' });
    expect(tree(here.folder)).toEqual(before);
    expect(await hookAt(here, DUE, postToolUse(id))).toEqual(SILENT);
  });

  it('B118: two ids share a folder only if they are equal', () => {
    const many = [
      ...IDS,
      ...IDS.map((id) => `${id} `),
      ...IDS.map((id) => `_${id}`),
      ...IDS.map((id) => sessionKey(id)),
    ];
    const distinct = new Set(many);
    // The key of a plain id is the id itself; a hashed key, taken for an id, is hashed anew.
    expect(new Set([...distinct].map(sessionKey)).size).toBe(distinct.size);
  });

  it.each(['abcdefgh', 'abc', '-abcdefgh', 'x'.repeat(64), 'x'.repeat(65), 'ABCDEFGH', 'a/b', '🙂'])(
    'B118: %j passes the shell guard when it has a task, whatever its folder is called',
    async (id) => {
      const here = place();
      const world = worldIn(here, { news: [] });
      world.now = Date.now() - 100 * SECOND;
      await world.tell(fact.opened('t', 'ann', world.now), id);
      const guard = path.join(PLUGIN, 'hooks/hook.sh');
      const { child, ended } = start('sh', [guard], { ...here.env, CLAUDE_CODE_SESSION_ID: id });
      child.stdin?.end(JSON.stringify(postToolUse(id)));
      expect(contextOf(await ended)).toContain('"t" for "ann"');
    },
  );
});

describe('a link', () => {
  /** A folder outside with one file in it, both of which must not change. */
  function outside({ folder }: Place): { target: string; unchanged: () => void } {
    const target = path.join(folder, 'outside');
    fs.mkdirSync(target);
    fs.writeFileSync(path.join(target, 'precious'), 'precious');
    const before = tree(target);
    return { target, unchanged: () => expect(tree(target)).toEqual(before) };
  }

  it.each(['the session', 'all sessions', 'the hosts'])('B119: in the place of %s is not followed', async (what) => {
    const here = place();
    const { target, unchanged } = outside(here);
    const name = { 'the session': `sessions/${SESSION}`, 'all sessions': 'sessions', 'the hosts': 'hosts' }[what] ?? '';
    fs.mkdirSync(path.dirname(path.join(here.root, name)), { recursive: true });
    fs.symlinkSync(target, path.join(here.root, name));
    const world = worldIn(here, { news: [] });
    await world.tell(fact.opened('t', 'ann', T), SESSION).catch(() => {});
    await hookAt(here, DUE, sessionStart(), { CLAUDE_PID: '4242' });
    await hookAt(here, DUE, postToolUse());
    unchanged();
  });

  it('B119: in the place of the peers is neither read nor written', async () => {
    const here = place();
    const { target, unchanged } = outside(here);
    fs.mkdirSync(here.root, { recursive: true });
    const peer = { sessions: [SESSION], name: 'x', folder: '/w', summary: null, pid: process.pid };
    const theirs = path.join(here.folder, 'theirs');
    presenceIn(theirs, process.pid, nodeFiles).announce(peer);
    fs.symlinkSync(path.join(theirs, 'peers'), path.join(here.root, 'peers'));
    expect(peersIn(here.root, Date.now(), nodeFiles)).toEqual([]);
    fs.rmSync(path.join(here.root, 'peers'));
    fs.symlinkSync(target, path.join(here.root, 'peers'));
    expect(() => presenceIn(here.root, process.pid, nodeFiles).announce(peer)).toThrow('no folder of its own');
    unchanged();
  });

  it.each(['trace.jsonl', 'trace.1.jsonl'])('B119: in the place of %s is not written through', async (name) => {
    const here = place();
    const { target, unchanged } = outside(here);
    await sessionWithTask(here);
    fs.symlinkSync(path.join(target, 'precious'), path.join(here.root, 'sessions', SESSION, name));
    expect(contextOf(await hookAt(here, DUE, postToolUse()))).toContain('"t" for "ann"');
    unchanged();
  });

  it.each(['failures.jsonl', 'swept', 'hosts/4242'])(
    'B119: in the place of %s is not written through',
    async (name) => {
      const here = place();
      const { target, unchanged } = outside(here);
      fs.mkdirSync(path.join(here.root, 'hosts'), { recursive: true });
      fs.symlinkSync(path.join(target, 'precious'), path.join(here.root, name));
      expect(await hookAt(here, DUE, sessionStart(), { CLAUDE_PID: '4242' })).toEqual(SILENT);
      expect(await hookAt(here, DUE, 'no JSON')).toEqual(SILENT);
      unchanged();
    },
  );

  it('B119: in the place of a marker folder is neither read nor written', async () => {
    const here = place();
    const { target, unchanged } = outside(here);
    fs.mkdirSync(here.markers, { recursive: true });
    fs.symlinkSync(target, path.join(here.markers, SESSION));
    const world = worldIn(here);
    await world.tell(fact.opened('t', 'ann', T), SESSION);
    world.now = DUE;
    expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
    unchanged();
    const elsewhere = interlink(path.join(here.folder, 'elsewhere'), SESSION);
    elsewhere.open('bait', 'eve', T);
    fs.rmSync(path.join(here.markers, SESSION));
    fs.symlinkSync(elsewhere.folder, path.join(here.markers, SESSION));
    await world.tell(fact.closed('t', 'ann', 'result'), SESSION);
    world.now = DUE + 200 * SECOND;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
  });

  it.each(['last-nudge', 'last-update', 'current-task.json'])(
    'B119: in the place of %s is at most replaced',
    async (name) => {
      const here = place();
      const { target, unchanged } = outside(here);
      const theirs = interlink(here.state, SESSION);
      theirs.open('t', 'ann', T);
      fs.rmSync(path.join(theirs.folder, name), { force: true });
      fs.symlinkSync(path.join(target, 'precious'), path.join(theirs.folder, name));
      const world = worldIn(here);
      await world.tell(fact.opened('own', 'bob', T + 1), SESSION);
      world.now = DUE + SECOND;
      expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
      await world.tell(fact.closed('own', 'bob', 'result'), SESSION);
      unchanged();
    },
  );

  it('B119: to a document outside is not read', async () => {
    const here = place();
    const world = await sessionWithTask(here);
    fs.rmSync(here.markers, { recursive: true });
    const folder = path.join(here.root, 'sessions', SESSION);
    const [document = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
    fs.renameSync(path.join(folder, document), path.join(here.folder, 'document'));
    fs.symlinkSync(path.join(here.folder, 'document'), path.join(folder, document));
    world.now = DUE;
    expect(await world.tell(fact.tool(), SESSION)).toBeNull();
  });
});
