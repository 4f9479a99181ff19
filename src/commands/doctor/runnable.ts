/** Can a registered hook do anything at all? */
import path from 'node:path';
import type { Files } from '../../../adapters/store/files.ts';
import type { Env } from '../../../adapters/store/root.ts';
import { quote } from '../../core/quote.ts';
import type { HookEntry } from './claude-settings.ts';

const HOSTS = ['claude-code'];
/** Tools after which a reminder may come. */
const COUNTING = ['Bash', 'Edit', 'Write', 'NotebookEdit'];

/** Why these entries bring nothing, each with what to do. */
export function hindrances(entries: readonly HookEntry[], env: Env, files: Files): { why: string; next: string }[] {
  const found = entries.flatMap((entry) => [program(entry, env, files), host(entry), matcher(entry)]);
  const distinct = new Map(found.flatMap((one) => (one === null ? [] : [[one.why, one] as const])));
  return [...distinct.values()];
}

function program({ command }: HookEntry, env: Env, files: Files) {
  const file = /(\/[^\s"']*nudgechart\.cjs)/.exec(command)?.[1];
  if (file !== undefined) {
    const gone = !file.includes('$') && files.info(file) === null;
    return gone
      ? { why: `${file} is not there`, next: 'install nudgechart, and put its real path into the entry' }
      : null;
  }
  if (!/(?:^|[\s;&|"'(])nudgechart hook\b/.test(command)) return null;
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const isThere = folders.some((folder) =>
    ['', '.cmd'].some((end) => exists(path.join(folder, `nudgechart${end}`), files)),
  );
  return isThere ? null : { why: 'nudgechart is not on the PATH', next: 'run: npm install -g nudgechart' };
}

function exists(file: string, files: Files): boolean {
  try {
    return files.info(file) !== null;
  } catch {
    return false;
  }
}

function host({ command }: HookEntry) {
  const named = /\bhook\s+([a-z][\w-]*)/.exec(command)?.[1];
  if (named === undefined || HOSTS.includes(named)) return null;
  return {
    why: `${quote(named).text} is no host that it can answer`,
    next: `write: nudgechart hook ${HOSTS.join('|')}`,
  };
}

function matcher({ event, matcher: said }: HookEntry) {
  if (event !== 'PostToolUse' || said === '' || said === '*') return null;
  const isList = /^[\w|,]+$/.test(said);
  const admits = (tool: string) => (isList ? said.split(/[|,]/).includes(tool) : pattern(said)?.test(tool) !== false);
  if (COUNTING.some(admits)) return null;
  return {
    why: `its matcher ${quote(said).text} lets no tool through that counts`,
    next: 'write: Bash|Edit|NotebookEdit|Write',
  };
}

function pattern(text: string): RegExp | null {
  try {
    return new RegExp(text);
  } catch {
    return null;
  }
}
