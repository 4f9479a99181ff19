/** Libraries that only one command needs, and that nobody gets unasked: those of the user, else those beside this program. */
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Where it is installed: for whoever is in that place, else beside this program.
 * @param from a file there, which need not exist
 * @returns the whole path of its entry; null: it is installed in neither place
 */
export function findLibrary(name: string, from: string): string | null {
  for (const place of [from, path.join(programFolder(), 'here.js')]) {
    try {
      return createRequire(place).resolve(name);
    } catch {
      // The next place.
    }
  }
  return null;
}

/** The folder that this program runs from. A bundle is CommonJS, sources are not. */
export function programFolder(): string {
  return typeof __dirname === 'string' ? __dirname : import.meta.dirname;
}
