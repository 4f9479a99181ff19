import path from 'node:path';
import type { Files } from './files.ts';
import { uniqueId } from './root.ts';

/**
 * Puts a file in its place, whole or not at all: whoever reads finds the old text or the new one. A process that is killed
 * may leave a name that begins with a dot; the sweep takes it away.
 *
 * @param write how the text gets to disk: `create`, or `createSynced` where it must outlive a crash
 * @throws Node's error; then nothing is left behind
 */
export function replaceFile(
  file: string,
  text: string,
  files: Files,
  write: 'create' | 'createSynced' = 'create',
): void {
  const written = path.join(path.dirname(file), `.${uniqueId()}`);
  files[write](written, text);
  try {
    files.rename(written, file);
  } catch (error) {
    files.remove(written);
    throw error;
  }
}
