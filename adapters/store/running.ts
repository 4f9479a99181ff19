/** What can be told of a process by its number. */
import type { Files } from './files.ts';

/** Whether a process runs, also another user's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** How exactly the system says when a process began, ms. */
export const INEXACT_MS = 2000;

/** Clock ticks in a second, as Linux counts a process's start. */
const TICKS = 100;

/**
 * When a process began, epoch ms, give or take what the clock was set since. 0 where the system doesn't say.
 * @param at epoch ms, now
 */
export function startedAt(pid: number, files: Files, at: number): number {
  try {
    const [uptime = ''] = files.read('/proc/uptime', 256).split(' ');
    // The name in brackets may hold anything, also blanks and brackets.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(files.read(`/proc/${pid}/stat`, 4096)) ?? [];
    const ticks = Number(fields.split(' ')[19]);
    const started = at - (Number(uptime) - ticks / TICKS) * 1000;
    return Number.isFinite(started) ? started : 0;
  } catch {
    return 0;
  }
}
