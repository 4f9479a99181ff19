/** The shells in front of the hook: what they let through to Node, whole, and what they swallow. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, start } from '../support/hook.ts';
import { postToolUse, prompted, SESSION, sessionStart, shellCall, stopped } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GUARD = path.join(ROOT, 'plugin/hooks/hook.sh');
const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };

const examples = JSON.parse(fs.readFileSync(path.join(ROOT, 'examples/claude-code/settings.json'), 'utf8')).hooks;
const exampleFor = (event: string): string => examples[event][0].hooks[0].command;

/** A shell with a Node and a nudgechart that write down what they are given. */
function scene() {
  const folder = tempDir();
  const got = path.join(folder, 'got');
  for (const name of ['node', 'nudgechart']) {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\nexec cat > '${got}'\n`, { mode: 0o755 });
  }
  const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, CLAUDE_CODE_SESSION_ID: SESSION };
  const run = async (shell: string, args: readonly string[], payload: unknown, more: Record<string, string> = {}) => {
    const { child, ended } = start(shell, args, { ...env, ...more });
    child.stdin?.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
    return await ended;
  };
  return {
    state: path.join(folder, '.local/state'),
    guard: (payload: unknown, more?: Record<string, string>, shell = 'sh') => run(shell, [GUARD], payload, more),
    example: (event: string, payload: unknown, more?: Record<string, string>) =>
      run('sh', ['-c', exampleFor(event)], payload, more),
    /** What reached the program; null: it wasn't started. */
    got: () => (fs.existsSync(got) ? fs.readFileSync(got, 'utf8') : null),
  };
}

const QUIET: Ended = { code: 0, signal: null, stdout: '', stderr: '' };

const dispatches: [string, string][] = [
  ['a plain call', 'mu agent send w-1 hi'],
  ['a line of its own', 'cd x\nmu task claim a --for w-1'],
  ['a line of its own, after a tab', 'if true; then\n\tmu agent spawn w\nfi'],
  ['a path', '/usr/local/bin/mu agent send w-1 hi'],
  ['an ending', 'mu.exe agent send w-1 hi'],
  ['quotes around it', 'bash -c "mu agent send w-1 hi"'],
  ['text about it: Node tells', 'echo mu'],
];
const others: [string, string][] = [
  ['no such word', 'make all'],
  ['words that hold it', 'make community; simulate --multi emu mux'],
  ['a name with it', 'echo mu_1 _mu'],
];

describe.each(['sh', 'bash'])('the plugin’s guard in %s', (shell) => {
  it.each(dispatches)('lets a command pass whole that has %s', async (_name, command) => {
    const { guard, got } = scene();
    const payload = JSON.stringify(shellCall(command));
    expect(await guard(payload, {}, shell)).toEqual(QUIET);
    expect(got()).toBe(payload);
  });

  it.each(others)('swallows a command that has %s', async (_name, command) => {
    const { guard, got } = scene();
    expect(await guard(shellCall(command), {}, shell)).toEqual(QUIET);
    expect(got()).toBeNull();
  });

  it('swallows what other tools write, whatever is in it, and however much', async () => {
    const { guard, got } = scene();
    const input = { file_path: '/w/a', content: `mu agent send\n${'x'.repeat(2_000_000)}` };
    expect(await guard(postToolUse(SESSION, { tool_name: 'Write', tool_input: input }), {}, shell)).toEqual(QUIET);
    expect(got()).toBeNull();
  });

  it('lets a long payload pass whole, with every byte that JSON can have', async () => {
    const { guard, got } = scene();
    const payload = JSON.stringify(shellCall(`mu agent send w '%s \\n é 🙂 ${'x'.repeat(500_000)}'`));
    expect(await guard(payload, {}, shell)).toEqual(QUIET);
    expect(got()).toBe(payload);
  });
});

describe('the plugin’s guard', () => {
  it('lets a worker’s stop pass, not its prompts and not its tool calls', async () => {
    for (const [payload, passes] of [
      [stopped(), true],
      [prompted('p-1', 'Stop it'), false],
      [shellCall('make'), false],
    ] as const) {
      const { guard, got } = scene();
      expect(await guard(payload, WORKER)).toEqual(QUIET);
      expect(got() !== null).toBe(passes);
    }
  });

  it.each([{}, { MU_AGENT_NAME: 'w-1' }, { MU_WORKSTREAM: 'auth' }])(
    'swallows the stop of one that is none (%j)',
    async (env) => {
      const { guard, got } = scene();
      expect(await guard(stopped(), env as Record<string, string>)).toEqual(QUIET);
      expect(got()).toBeNull();
    },
  );

  it('lets everything of a session pass that something is known of', async () => {
    const { guard, got, state } = scene();
    fs.mkdirSync(path.join(state, 'nudgechart/sessions', SESSION), { recursive: true });
    const payload = JSON.stringify(shellCall('make'));
    expect(await guard(payload)).toEqual(QUIET);
    expect(got()).toBe(payload);
  });
});

describe('the guards of the examples', () => {
  it.each(['PostToolUse', 'PostToolUseFailure'])(
    'let a command pass whole that may hand out work (%s)',
    async (event) => {
      for (const [, command] of dispatches) {
        const { example, got } = scene();
        const payload = JSON.stringify(shellCall(command, SESSION, { hook_event_name: event }));
        expect(await example(event, payload)).toEqual(QUIET);
        expect(got()).toBe(payload);
      }
    },
  );

  it('swallow other commands', async () => {
    for (const [, command] of others) {
      const { example, got } = scene();
      expect(await example('PostToolUse', shellCall(command))).toEqual(QUIET);
      expect(got()).toBeNull();
    }
  });

  it('let a worker’s stop pass, and no other’s', async () => {
    for (const [env, passes] of [
      [WORKER, true],
      [{}, false],
    ] as const) {
      const { example, got } = scene();
      expect(await example('Stop', stopped(), env)).toEqual(QUIET);
      expect(got() !== null).toBe(passes);
    }
  });

  it('let a session’s start pass', async () => {
    const { example, got } = scene();
    expect(await example('SessionStart', sessionStart())).toEqual(QUIET);
    expect(got()).not.toBeNull();
  });
});
