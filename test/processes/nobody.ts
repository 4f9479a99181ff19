/** Hooks of a user whom file modes bind: root, as whom tests may run, is bound by none. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { cleanEnv, type Ended } from '../support/hook.ts';
import { postToolUse, SESSION, sessionEnd, sessionStart } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { type Home, newHome, PROGRAM } from './home.ts';

export const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
/** No line in the list of users has this number. */
export const UNLISTED = 54_321;

export interface Nobody {
  readonly home: Home;
  /** Gives everything below the home to its user. */
  settle(): void;
  /** Changes a mode; it is put back at the test's end, so that the folder can be removed. */
  chmod(file: string, mode: number): void;
  run(payload: unknown, env?: Record<string, string>): Promise<Ended>;
  /** A session's start, ten tool calls, its end. */
  wholeSession(env?: Record<string, string>): Promise<Ended[]>;
}

/** Another user when the tests run as root, else ourselves. */
export function nobody(user = NOBODY): Nobody {
  const folder = tempDir();
  fs.chmodSync(folder, 0o755);
  fs.cpSync(path.dirname(PROGRAM), path.join(folder, 'program'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'home'));
  const home = newHome(path.join(folder, 'home'));
  const who = IS_ROOT ? { uid: user, gid: user } : {};
  const program = path.join(folder, 'program', path.basename(PROGRAM));

  const settle = () => {
    if (!IS_ROOT) return;
    for (const name of ['', ...fs.readdirSync(home.folder, { recursive: true, encoding: 'utf8' })]) {
      fs.lchownSync(path.join(home.folder, name), user, user);
    }
  };
  const run = (payload: unknown, env: Record<string, string> = home.env) =>
    new Promise<Ended>((resolve) => {
      const options = { env: cleanEnv({ CLAUDE_PID: '4242', ...env }), cwd: folder, ...who };
      const child = execFile(process.execPath, [program, 'hook', 'claude-code'], options, (_, stdout, stderr) => {
        resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr });
      });
      child.stdin?.on('error', () => {}).end(JSON.stringify(payload));
    });

  settle();
  return {
    home,
    settle,
    chmod(file, mode) {
      const before = fs.statSync(file).mode;
      fs.chmodSync(file, mode);
      onTestFinished(() => {
        if (fs.existsSync(file)) fs.chmodSync(file, before);
      });
    },
    run,
    async wholeSession(env) {
      const calls = Array.from({ length: 10 }, (_, number) => postToolUse(SESSION, { tool_use_id: `tu-${number}` }));
      const ends: Ended[] = [];
      for (const payload of [sessionStart(), ...calls, sessionEnd()]) ends.push(await run(payload, env));
      return ends;
    },
  };
}

export const SILENT_SESSION: Ended[] = Array.from({ length: 12 }, () => ({
  code: 0,
  signal: null,
  stdout: '',
  stderr: '',
}));
