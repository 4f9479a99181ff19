/** Why it spoke, why it kept silent: one line per decision in the session's folder. */
import path from 'node:path';
import type { Trace } from '../../src/core/ports.ts';
import { type Files, nodeFiles } from './files.ts';
import { sessionFolder } from './root.ts';

const LONGEST_FILE = 1024 * 1024;
/** Keys hold what peers call themselves and their tasks, so they are shown cut. */
const LONGEST_TEXT = 200;

export function createFileTrace({ root, files = nodeFiles }: { root: string; files?: Files }): Trace {
  return {
    write(session, line) {
      try {
        const folder = sessionFolder(root, session);
        const file = path.join(folder, 'trace.jsonl');
        if ((files.info(file)?.size ?? 0) > LONGEST_FILE) files.rename(file, path.join(folder, 'trace.1.jsonl'));
        files.append(file, `${JSON.stringify(line, bounded)}\n`);
      } catch {
        // A decision stands whether or not it could be told.
      }
    },
  };
}

function bounded(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
}
