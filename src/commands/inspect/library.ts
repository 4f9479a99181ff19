/** Stately's library, and the one that it speaks through itself. Nobody has them unasked. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createInspector } from '@statelyai/inspect';
import type { WebSocketServer } from 'ws';
import { NudgechartError } from '../../core/errors.ts';
import { findLibrary } from '../optional-library.ts';

const NAME = '@statelyai/inspect';

/** Where the library puts its messages. */
export type Adapter = Parameters<typeof createInspector>[0];

export interface Library {
  readonly createInspector: typeof createInspector;
  readonly WebSocketServer: typeof WebSocketServer;
}

/**
 * What is installed in the folder that somebody is in, else beside this program.
 * @throws NudgechartError `LIBRARY_MISSING` when there is none, or when it can't be loaded
 */
export async function loadLibrary(cwd: string): Promise<Library> {
  const entry = findLibrary(NAME, path.join(cwd, 'here.js'));
  if (entry === null) throw missing(`${NAME}, which is not installed here`);
  try {
    const { importModule } = await import('./import-module.ts');
    const inspect = (await importModule(pathToFileURL(entry).href)) as Pick<Library, 'createInspector'>;
    const ws: Pick<Library, 'WebSocketServer'> = createRequire(entry)('ws');
    if (typeof inspect.createInspector !== 'function') throw new Error('it has no createInspector');
    return { createInspector: inspect.createInspector, WebSocketServer: ws.WebSocketServer };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw missing(`${NAME}, which can’t be loaded: ${reason}`, error);
  }
}

function missing(what: string, cause?: unknown): NudgechartError {
  const next = `run npm install --save-dev ${NAME}@0.7.2 in this folder, then try again`;
  return new NudgechartError('LIBRARY_MISSING', `inspect needs ${what}`, next, cause);
}
