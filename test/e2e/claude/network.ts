// Starts a command where there is no network but loopback, so that no outside service can take part in a test.
// It needs Linux and the right to make a network namespace; elsewhere the command runs as it is, and only the
// CLI's own switches (environment.ts) keep it from calling home.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BRIDGE = fileURLToPath(new URL('bridge.mjs', import.meta.url));
const LOOPBACK_UP = 'ip link set lo up && exec "$@"';
const WAYS = [
  ['unshare', '-n'],
  // Without root: a user namespace in which we are root.
  ['unshare', '-r', '-n'],
];

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

const way = process.platform === 'linux' ? WAYS.find(works) : undefined;

/** Whether commands are cut off. A model that they shall reach must then listen on a Unix socket. */
export const isCutOff = way !== undefined;

/** The command, cut off from the network. With a socket, a loopback port inside leads to it: see bridge.mjs. */
export function cutOff(inner: Command, socket?: string): Command {
  if (way === undefined) return inner;
  const bridge = socket === undefined ? [] : [process.execPath, BRIDGE, socket];
  const [command = 'unshare', ...flags] = way;
  return { command, args: [...flags, '--', 'sh', '-c', LOOPBACK_UP, 'sh', ...bridge, inner.command, ...inner.args] };
}

function works([command = 'unshare', ...flags]: readonly string[]): boolean {
  return spawnSync(command, [...flags, '--', 'sh', '-c', LOOPBACK_UP, 'sh', 'true']).status === 0;
}
