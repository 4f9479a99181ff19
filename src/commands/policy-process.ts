/**
 * What a policy's module finds in the place of Node's own process, console and timers. It runs inside a hook or a server:
 * nothing that it takes for granted there may print between two of our answers, end the process, or keep it from ending.
 * No wall against somebody who means harm: whoever adds a policy trusts its code.
 */
import { NudgechartError } from '../core/errors.ts';
import { once } from '../core/once.ts';

export interface PolicyProcess {
  readonly process: NodeJS.Process;
  readonly console: Console;
  readonly timers: Readonly<Record<'setTimeout' | 'setInterval' | 'setImmediate', () => object>>;
}

/** Whatever ends or moves the whole process. */
const REFUSED = ['abort', 'chdir', 'exit', 'kill', 'reallyExit'] as const;
/** Listeners of a module would outlive the call, and those that it takes away are ours. */
const LISTENING = [
  ...['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'],
  ...['off', 'removeListener', 'removeAllListeners', 'setUncaughtExceptionCaptureCallback'],
];

export function policyProcess(): PolicyProcess {
  return { process: quietProcess(), console: quietConsole(), timers: TIMERS };
}

function isHeard(): boolean {
  return process.env['NUDGECHART_LOG'] === '1';
}

/** What a policy prints goes to stderr, when somebody wants to see it. */
function quietConsole(): Console {
  if (isHeard()) return new console.Console(process.stderr, process.stderr);
  return new Proxy(console, { get: () => () => {} });
}

function quietProcess(): NodeJS.Process {
  const stream = once(() => (isHeard() ? process.stderr : nowhere()));
  const own = {
    ...Object.fromEntries(REFUSED.map((name) => [name, () => refuse(name)])),
    ...Object.fromEntries(LISTENING.map((name) => [name, () => quiet])),
    emitWarning: () => {},
    exitCode: undefined,
    // A copy: what is put into it, by a file of settings for instance, is nobody else's.
    env: { ...process.env },
  };
  const quiet: NodeJS.Process = Object.create(process, {
    ...Object.getOwnPropertyDescriptors(own),
    stdout: { get: stream, enumerable: true },
    stderr: { get: stream, enumerable: true },
  });
  return quiet;
}

function nowhere() {
  const { Writable } = process.getBuiltinModule('node:stream');
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function refuse(name: (typeof REFUSED)[number]): never {
  throw new NudgechartError(
    'POLICY_INVALID',
    `it calls process.${name}`,
    'leave that out: a policy runs in a process that is not its own',
  );
}

/** They never come: a hook ends before any timer would, and a policy is told the time by its events. */
const never = () => {
  const timer = { ref: () => timer, unref: () => timer, refresh: () => timer, hasRef: () => false, close: () => timer };
  return timer;
};
const TIMERS = { setTimeout: never, setInterval: never, setImmediate: never };
