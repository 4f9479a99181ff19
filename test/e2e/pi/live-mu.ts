// The real mu, in a folder and on a tmux server of its own. $MU_BIN is its program or its built cli.js; tmux is on PATH.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { programs } from './pi.ts';
import { addCommand, environment, type Space } from './space.ts';

const MU_BIN = process.env['MU_BIN'] ?? '';
/** What mu takes for a worker's program: it stands there and does nothing. */
const WORKER = "sh -c 'while :; do sleep 1; done'";
const TIMEOUT_MS = 60_000;

export const hasMu = MU_BIN !== '';

export interface LiveMu {
  /** What a process needs so that its mu is this one. */
  readonly env: Readonly<Record<string, string>>;
  /** @returns what it prints, read @throws when it fails */
  json(...args: readonly string[]): Record<string, unknown>;
  spawnWorker(name: string, workstream: string): void;
}

/** Puts it on PATH. Its tmux server is ended, by its process id, when the test ends. */
export function addLiveMu(space: Space): LiveMu {
  const { node } = programs();
  const command = /\.[cm]?js$/.test(MU_BIN) ? `'${node}' '${MU_BIN}'` : `'${MU_BIN}'`;
  addCommand(space, 'mu', `exec ${command} "$@"`);
  const socket = `nc-${randomUUID().slice(0, 8)}`;
  const env = {
    MU_STATE_DIR: path.join(space.base, 'mu'),
    TMUX_TMPDIR: space.base,
    MU_TMUX_SOCKET: socket,
    MU_MUX: 'tmux',
    MU_SPAWN_LIVENESS_MS: '300',
  };
  const options = { cwd: space.project, env: { ...environment(space, node), ...env }, encoding: 'utf8' } as const;
  onTestFinished(() => {
    const asked = spawnSync('tmux', ['-L', socket, 'display-message', '-p', '#{pid}'], options);
    const pid = Number(asked.stdout.trim());
    if (asked.status === 0 && pid > 1) process.kill(pid, 'SIGTERM');
  });
  const json: LiveMu['json'] = (...args) =>
    JSON.parse(execFileSync(path.join(space.bin, 'mu'), [...args, '--json'], { ...options, timeout: TIMEOUT_MS }));
  return {
    env,
    json,
    spawnWorker: (name, workstream) =>
      void json('agent', 'spawn', name, '-w', workstream, '--cli', 'sh', '--command', WORKER),
  };
}
