/** mu as a program that is run: what it prints, or why there is no answer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { quote } from '../../../src/core/quote.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const PROGRAM = 'mu';

/** More than any state that mu could print. */
const MOST_OUTPUT = 8 * 1024 * 1024;
const MOST_COMPLAINT = 16 * 1024;

/** Those whose answer somebody waits for. Whoever ends before that takes them along. */
const running = new Set<ChildProcess>();

function remember(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(child);
}

function forget(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.removeListener('exit', killAll);
}

function killAll(): void {
  for (const child of running) killGroup(child);
}

/** mu said no. */
export class MuRefused extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'MuRefused';
    this.exitCode = exitCode;
  }
}

/**
 * Runs `mu` from the PATH of `env`, without a shell, and reads what it prints. When `signal` ends, mu and all that it
 * started are killed and nobody waits for them. On Windows only a `mu.exe` is found: `mu.cmd` would need a shell.
 *
 * @throws MuRefused for any exit code but 0; an error for a mu that can't be run, prints too much, or is out of time
 */
export function askMu(args: readonly string[], env: Env, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // A process group of its own, so that what mu starts ends with it.
    const child = spawn(PROGRAM, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    remember(child);
    const output: Buffer[] = [];
    const complaint: Buffer[] = [];
    const sizes = { output: 0, complaint: 0 };
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', outOfTime);
      forget(child);
      end();
    };
    const giveUp = (reason: string) => {
      killGroup(child);
      settle(() => reject(new Error(reason)));
    };
    const outOfTime = () => giveUp(`mu ${args.slice(0, 2).join(' ')} gave no answer in time`);
    signal.addEventListener('abort', outOfTime, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      sizes.output += chunk.length;
      if (sizes.output > MOST_OUTPUT) giveUp(`mu printed more than ${MOST_OUTPUT} bytes`);
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      sizes.complaint += chunk.length;
      if (sizes.complaint <= MOST_COMPLAINT) complaint.push(chunk);
    });
    child.on('error', (error) => settle(() => reject(new Error(`mu can't be run: ${error.message}`))));
    child.on('close', (code, ended) => {
      settle(() => {
        if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
        else if (code === null) reject(new Error(`mu was ended by ${ended}`));
        else reject(new MuRefused(code, `mu exited with ${code}: ${complaintIn(Buffer.concat(complaint).toString())}`));
      });
    });
  });
}

/** Starts mu and forgets it. Doesn't wait, doesn't throw. */
export function tellMu(args: readonly string[], env: Env): void {
  try {
    const child = spawn(PROGRAM, args, { env, detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => {
      // No mu, no log.
    });
    child.unref();
  } catch {
    // Nor when the system has no process left.
  }
}

function killGroup(child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  child.unref();
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The message of mu's error object; a line for people may stand before it. */
function complaintIn(text: string): string {
  const [, message] = /"message":\s*("(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")/.exec(text) ?? [];
  const said = message === undefined ? text.trim() : readable(message);
  return said === '' ? 'no reason given' : quote(said, 160).text;
}

/** This runs in somebody else's event loop: what mu prints must not be able to throw there. */
function readable(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
