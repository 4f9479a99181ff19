/** Group A of the case list: several processes, several policies. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileStore, nodeFiles } from '../../adapters/store/index.ts';
import type { Draft } from '../../src/core/document.ts';
import type { StateStore } from '../../src/core/ports.ts';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { OTHER_SESSION, postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { createWorld, fact, INTERVAL, SECOND, T } from '../support/world.ts';
import { documentFile, hookAt, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';
import { ended, type Fault, nagPolicy, prompted, running, started } from './small-policies.ts';

const DUE = T + 61 * SECOND;

describe('two sessions in one folder', () => {
  it('B01: only the session that has the task is reminded, and nothing is made for the other', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    const stranger = await hookAt(here, DUE, postToolUse(OTHER_SESSION));
    const owner = await hookAt(here, DUE, postToolUse(SESSION));
    expect(stranger).toEqual(SILENT);
    expect(contextOf(owner)).toContain('task "t" for "ann"');
    expect(fs.readdirSync(path.join(here.root, 'sessions'))).toEqual([SESSION]);
    expect(fs.readdirSync(here.markers)).toEqual([SESSION]);
  });
});

describe('two calls at the same moment', () => {
  it('B02: eight hooks of one moment remind once', async () => {
    let reminders = 0;
    // On a busy machine the one that has decided can be too late to say so: then nobody does, and the moment is over.
    for (let round = 0; reminders === 0 && round < 5; round += 1) {
      const here = place();
      interlink(here.state, SESSION).open('t', 'ann', T);
      const calls = Array.from({ length: 8 }, (_, n) =>
        hookAt(here, DUE, postToolUse(SESSION, { tool_use_id: `tu-${n}` })),
      );
      const answers = await Promise.all(calls);
      reminders = answers.filter((answer) => contextOf(answer) !== null).length;
      expect(reminders).toBeLessThanOrEqual(1);
      expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(Array(8).fill([0, '']));
    }
    expect(reminders).toBe(1);
  });

  it('B05: a task that is closed while a hook decides stays closed, and the hook says nothing', async () => {
    const here = place();
    const server = await sessionWithTask(here);
    const files = createFileStore({ root: here.root });
    let pausedOnce = false;
    const paused: StateStore = {
      ...files,
      load(session) {
        const loaded = files.load(session);
        if (!pausedOnce) {
          pausedOnce = true;
          void server.tell(fact.closed('t', 'ann', 'result'), session);
        }
        return loaded;
      },
    };
    const hook = createWorld({ store: paused });
    hook.now = DUE;
    expect(await hook.tell(fact.tool(), SESSION)).toBeNull();
    expect(pausedOnce).toBe(true);
    expect(Object.values(hook.states(SESSION))).toEqual(['cleared']);
    hook.now = DUE + 10 * INTERVAL;
    expect(await hook.tell(fact.tool(), SESSION)).toBeNull();
  });

  it('B10: two hosts in one session remind once between them, and neither end takes state away', async () => {
    const here = place();
    const [p, q] = [worldIn(here), worldIn(here)];
    await p.tell(fact.opened('t', 'ann', T), SESSION);
    q.now = DUE;
    p.now = DUE + SECOND;
    expect(await q.tell(fact.tool(), SESSION)).not.toBeNull();
    expect(await p.tell(fact.tool(), SESSION)).toBeNull();
    const [ofP, ofQ] = [{ CLAUDE_PID: '1001' }, { CLAUDE_PID: '1002' }];
    for (const pid of [ofP, ofQ]) await hookAt(here, DUE, sessionStart(SESSION, 'resume'), pid);
    const document = fs.readFileSync(documentFile(here), 'utf8');
    expect(await hookAt(here, DUE + 2 * SECOND, sessionEnd(SESSION), ofP)).toEqual(SILENT);
    expect(fs.readFileSync(documentFile(here), 'utf8')).toBe(document);
    expect(fs.readdirSync(path.join(here.root, 'hosts'))).toEqual(['1002']);
    q.now = DUE + 62 * SECOND;
    expect(await q.tell(fact.tool(), SESSION)).not.toBeNull();
  });
});

describe('several policies at one moment', () => {
  const at = (...faults: (Fault | undefined)[]) =>
    running({}, ...['first', 'second', 'third'].map((id, n) => nagPolicy(id, faults[n])));
  const told = (world: ReturnType<typeof createWorld>) =>
    ['first', 'second', 'third'].map((id) => world.context(`${id}/session`)['told']);

  it('B04: all their words go out in one answer, in the order of the registry, and each counts its own', async () => {
    const world = createWorld({ policies: at() });
    await world.tell(started);
    const answer = await world.tell(ended);
    expect(answer).toEqual({ text: 'a word of first\n\na word of second\n\na word of third', continue: true });
    expect(told(world)).toEqual([1, 1, 1]);
  });

  it.each<Fault>(['guard', 'action', 'text', 'empty text', 'instanceKey'])(
    'B04: one that breaks in its %s silences and counts only itself',
    async (fault) => {
      const world = createWorld({ policies: at(undefined, fault) });
      await world.tell(started);
      expect(await world.tell(ended)).toEqual({ text: 'a word of first\n\na word of third', continue: true });
      expect(told(world)).toEqual([1, 0, 1]);
      expect(world.trace.at(-1)?.why).toMatch(/policy second threw: .*; nudged: first, third$/);
      expect(await world.tell(prompted)).toBeNull();
    },
  );
});

describe('a file layer that gets in the way', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('B07: a rename that fails twice with %s is tried again', async (code) => {
    const here = place();
    await sessionWithTask(here);
    let [left, waited] = [2, 0];
    const world = worldIn(here, {
      news: [],
      files: {
        ...nodeFiles,
        rename(from, to) {
          left -= 1;
          if (left >= 0) throw Object.assign(new Error(code), { code });
          nodeFiles.rename(from, to);
        },
        pause(ms) {
          waited += ms;
        },
      },
    });
    world.now = DUE;
    expect(await world.tell(fact.tool(), SESSION)).not.toBeNull();
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual(250);
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'B07: a rename that always fails with %s means silence, the old state, and no litter after the next success',
    async (code) => {
      const here = place();
      const healthy = await sessionWithTask(here);
      const before = fs.readFileSync(documentFile(here), 'utf8');
      let waited = 0;
      const world = worldIn(here, {
        news: [],
        files: {
          ...nodeFiles,
          rename() {
            throw Object.assign(new Error(code), { code });
          },
          pause(ms) {
            waited += ms;
          },
        },
      });
      world.now = DUE;
      await expect(world.tell(fact.tool(), SESSION)).rejects.toThrow(code);
      expect(waited).toBeLessThanOrEqual(250);
      expect(fs.readFileSync(documentFile(here), 'utf8')).toBe(before);
      healthy.now = DUE + SECOND;
      expect(await healthy.tell(fact.tool(), SESSION)).not.toBeNull();
      const names = fs.readdirSync(path.join(here.root, 'sessions', SESSION)).sort();
      expect(names).toEqual([path.basename(documentFile(here)), expect.stringMatching(/^head\.2-/)]);
    },
  );

  it('B08: writes of different length never share a name or mix: what is read is one of them, whole', () => {
    const here = place();
    const created: string[] = [];
    const files = {
      ...nodeFiles,
      create(file: string, text: string) {
        created.push(file);
        nodeFiles.create(file, text);
      },
    };
    const stores = [1, 2].map(() => createFileStore({ root: here.root, files }));
    const draft = (n: number): Draft => ({
      session: SESSION,
      instances: {},
      seen: ['x'.repeat((n * 7919) % 5000)],
      memory: {},
    });
    for (let n = 0; n < 200; n += 1) {
      const [writer, reader] = n % 2 === 0 ? stores : stores.toReversed();
      expect(writer?.commit(writer.load(SESSION).base, draft(n))).toBe(true);
      expect(reader?.load(SESSION).document).toEqual({ format: 1, rev: n + 1, ...draft(n) });
    }
    expect(new Set(created).size).toBe(created.length);
    expect(created.filter((file) => !/[0-9a-f]{16}/.test(path.basename(file)))).toEqual([]);
  });

  it('B08: two large writes on one base: one wins, and it is whole', () => {
    const here = place();
    const store = createFileStore({ root: here.root });
    const draft = (text: string): Draft => ({ session: SESSION, instances: {}, seen: [text], memory: {} });
    store.commit(store.load(SESSION).base, draft('first'));
    const { base } = store.load(SESSION);
    expect(store.commit(base, draft('a'.repeat(2_000_000)))).toBe(true);
    expect(store.commit(base, draft('b'.repeat(50_000)))).toBe(false);
    expect(store.load(SESSION).document?.seen).toEqual(['a'.repeat(2_000_000)]);
    expect(tree(path.join(here.root, 'sessions', SESSION))).toHaveLength(2);
  });
});
