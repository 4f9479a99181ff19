/** Group B of the case list: which session is meant, and who speaks for it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { readHost } from '../../adapters/store/hosts.ts';
import { nodeFiles } from '../../adapters/store/index.ts';
import { sessionKey } from '../../adapters/store/root.ts';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { OTHER_SESSION, postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { fact, SECOND, T } from '../support/world.ts';
import { documentFile, hookAt, type Place, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';

const DUE = T + 61 * SECOND;
const HOST = { CLAUDE_PID: '4242' };

const failureCodes = ({ root }: Place): string[] =>
  fs
    .readFileSync(path.join(root, 'failures.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).code);

describe('what a server of the same host can know', () => {
  it('B13: a SessionStart hook notes the session of the host process, from the payload and not from the environment', async () => {
    const here = place();
    const stale = { ...HOST, CLAUDE_CODE_SESSION_ID: OTHER_SESSION, AI_AGENT: 'claude-code_2-1-332' };
    expect(await hookAt(here, T, sessionStart(SESSION, 'resume'), stale)).toEqual(SILENT);
    expect(readHost(here.root, nodeFiles, '4242')).toEqual({
      session: SESSION,
      agent: 'claude-code_2-1-332',
      wakes: false,
    });
    await hookAt(here, T, sessionStart(OTHER_SESSION, 'clear'), stale);
    expect(readHost(here.root, nodeFiles, '4242')?.session).toBe(OTHER_SESSION);
    // The end of the session before comes late.
    await hookAt(here, T, sessionEnd(SESSION), stale);
    expect(readHost(here.root, nodeFiles, '4242')?.session).toBe(OTHER_SESSION);
    await hookAt(here, T, sessionEnd(OTHER_SESSION), stale);
    expect(readHost(here.root, nodeFiles, '4242')).toBeNull();
  });
});

describe('a fork', () => {
  it('B14: a fork under its own id has no task; the original is reminded as usual', async () => {
    const here = place();
    await sessionWithTask(here);
    await hookAt(here, DUE, sessionStart(OTHER_SESSION, 'fork'));
    expect(await hookAt(here, DUE, postToolUse(OTHER_SESSION))).toEqual(SILENT);
    expect(fs.readdirSync(path.join(here.root, 'sessions'))).toEqual([SESSION]);
    expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION)))).toContain('"t" for "ann"');
  });

  it('B14: a fork that reports the id of the original shares its one reminder per interval', async () => {
    const here = place();
    await sessionWithTask(here);
    const answers = [
      await hookAt(here, DUE, postToolUse(SESSION, { transcript_path: '/t/fork.jsonl' })),
      await hookAt(here, DUE + SECOND, postToolUse(SESSION)),
      await hookAt(here, DUE + 60 * SECOND, postToolUse(SESSION, { transcript_path: '/t/fork.jsonl' })),
    ];
    expect(answers.map((answer) => contextOf(answer) !== null)).toEqual([true, false, false]);
  });
});

describe('subagents', () => {
  it.each([{ agent_id: 'a-7' }, { agent_id: 'a-8', agent_type: '' }, { agent_id: '', agent_type: '' }])(
    'B16: the end of a subagent, %j, is no fact at all',
    (more) => {
      const payload = { ...postToolUse(SESSION, more), hook_event_name: 'SubagentStop', stop_hook_active: false };
      expect(claudeCode.parse(payload)).toEqual([]);
    },
  );

  it('B16: neither ends nor calls of subagents remind or use the reminder up', async () => {
    const here = place();
    await sessionWithTask(here);
    const before = fs.readFileSync(documentFile(here), 'utf8');
    const stop = { ...postToolUse(SESSION, { agent_id: 'a-7' }), hook_event_name: 'SubagentStop' };
    expect(await hookAt(here, DUE, stop)).toEqual(SILENT);
    expect(await hookAt(here, DUE, postToolUse(SESSION, { agent_id: 'a-7', agent_type: 'x' }))).toEqual(SILENT);
    expect(fs.readFileSync(documentFile(here), 'utf8')).toBe(before);
    expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION)))).toContain('"t" for "ann"');
  });
});

describe('no session id', () => {
  const { session_id: _, ...absent } = postToolUse();
  const blank = [...['', '   ', null, 7, {}, [SESSION], true].map((id) => postToolUse(id)), absent];

  it('B17: a payload without a usable session id is silence, and names no folder', async () => {
    const here = place();
    await sessionWithTask(here);
    // A marker that belongs to nobody must not apply to everybody.
    interlink(here.state, '').open('t', 'ann', T);
    interlink(here.state, '   ').open('t', 'ann', T);
    interlink(here.state, 'undefined').open('t', 'ann', T);
    interlink(here.state, 'null').open('t', 'ann', T);
    const before = tree(here.markers);
    for (const payload of blank) expect(await hookAt(here, DUE, payload)).toEqual(SILENT);
    expect(fs.readdirSync(path.join(here.root, 'sessions'))).toEqual([SESSION]);
    expect(tree(here.markers)).toEqual(before);
    expect(new Set(failureCodes(here))).toEqual(new Set(['SESSION_INVALID']));
  });

  it.each(['', '   '])('B17: a start of a session %j is not noted as the session of its host', async (id) => {
    const here = place();
    await hookAt(here, T, sessionStart(SESSION), HOST);
    await hookAt(here, T, { ...sessionStart(), session_id: id }, HOST);
    expect(readHost(here.root, nodeFiles, '4242')?.session).toBe(SESSION);
  });

  it.each([{ session: '' }, { session: OTHER_SESSION }, { session: undefined }, { session: null }])(
    'B17: a state file that belongs to %j applies to nobody',
    async (owner) => {
      const here = place();
      const world = worldIn(here, { news: [] });
      await world.tell(fact.opened('t', 'ann', T), SESSION);
      const file = documentFile(here);
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...owner }));
      const before = tree(here.root);
      world.now = DUE;
      for (const session of [SESSION, OTHER_SESSION]) expect(await world.tell(fact.tool(), session)).toBeNull();
      expect(tree(here.root)).toEqual(before);
    },
  );
});

describe('payloads of other hosts', () => {
  const codex = { turn_id: 'turn-1', model: 'm', transcript_path: null };
  const foreign: [string, Record<string, unknown>, string | null][] = [
    [
      'B19: a conversation id in place of a session id',
      { conversation_id: SESSION, session_id: undefined },
      'SESSION_INVALID',
    ],
    ['B19: Cursor, with its version', { conversation_id: SESSION, cursor_version: '3.1' }, 'PAYLOAD_UNRECOGNISED'],
    [
      'B19: opencode',
      { sessionID: SESSION, session_id: undefined, hook_event_name: undefined },
      'PAYLOAD_UNRECOGNISED',
    ],
    ['B19: Copilot', { sessionId: SESSION, timestamp: 1 }, 'PAYLOAD_UNRECOGNISED'],
    ['B20: Codex, a subagent under its own id', { ...codex, session_id: OTHER_SESSION }, 'PAYLOAD_UNRECOGNISED'],
    ['B20: Codex, a subagent under the id of the root', { ...codex, agent_id: 'a-1' }, 'PAYLOAD_UNRECOGNISED'],
    ['B20: Codex, the root', codex, 'PAYLOAD_UNRECOGNISED'],
  ];

  it.each(foreign)('%s is silence for the Claude Code adapter, counted once', async (_name, more, code) => {
    const here = place();
    await sessionWithTask(here);
    const document = fs.readFileSync(documentFile(here), 'utf8');
    expect(await hookAt(here, DUE, postToolUse(SESSION, more))).toEqual(SILENT);
    expect(fs.readFileSync(documentFile(here), 'utf8')).toBe(document);
    expect(failureCodes(here)).toEqual([code]);
  });

  it('B20: the end of a turn of a Codex subagent is no end of the turn of the root', async () => {
    const here = place();
    await sessionWithTask(here);
    const stop = { ...postToolUse(SESSION, { ...codex, agent_id: 'a-1' }), hook_event_name: 'Stop' };
    expect(await hookAt(here, DUE, stop)).toEqual(SILENT);
    expect(fs.existsSync(path.join(here.root, 'sessions', SESSION, 'trace.jsonl'))).toBe(false);
  });
});

describe('a run within a run', () => {
  it('B23: a nested run that inherited the environment is judged by its own id', async () => {
    const here = place();
    await sessionWithTask(here);
    const inherited = { ...HOST, CLAUDE_CODE_SESSION_ID: SESSION, CLAUDECODE: '1', NUDGECHART_SESSION: SESSION };
    expect(await hookAt(here, DUE, postToolUse(OTHER_SESSION), inherited)).toEqual(SILENT);
    expect(fs.readdirSync(path.join(here.root, 'sessions'))).toEqual([SESSION]);
    expect(contextOf(await hookAt(here, DUE, postToolUse(SESSION), inherited))).toContain('"t" for "ann"');
  });
});

describe('ids that resemble each other', () => {
  const alike = ['abcdefg1', 'abcdefg12', 'ABCDEFG1', 'Abcdefg1', 'abcdefg', 'abcdefg1/', 'abcdefg1 ', 'abc1', 'ABC1'];

  it('B25: a session is only ever found under its exact id', async () => {
    const here = place();
    const world = await sessionWithTask(here, 'abcdefg1');
    world.now = DUE;
    for (const id of alike.slice(1)) expect(await world.tell(fact.tool(), id)).toBeNull();
    expect(fs.readdirSync(path.join(here.root, 'sessions'))).toEqual(['abcdefg1']);
    expect(await world.tell(fact.tool(), 'abcdefg1')).not.toBeNull();
  });

  it('B25: ids that differ only in case have folders that differ in more than that', () => {
    const folders = alike.map((id) => sessionKey(id).toLowerCase());
    expect(new Set(folders).size).toBe(alike.length);
  });

  it('B25: each of them keeps its own task, also side by side', async () => {
    const here = place();
    const world = worldIn(here);
    for (const id of alike) await world.tell(fact.opened(`task of ${id}.`, 'ann', T), id);
    world.now = DUE;
    for (const id of alike) expect((await world.tell(fact.tool(), id))?.text).toContain(`task "task of ${id}."`);
  });
});
