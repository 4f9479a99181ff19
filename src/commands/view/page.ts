/** The page of the live view: three files, found by name in a fixed table. */
import fs from 'node:fs';
import path from 'node:path';
import { NudgechartError } from '../../core/errors.ts';

const FILES = {
  '': { name: 'index.html', type: 'text/html; charset=utf-8' },
  'view.js': { name: 'view.js', type: 'text/javascript; charset=utf-8' },
  'view.css': { name: 'view.css', type: 'text/css; charset=utf-8' },
} as const;

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** From bundles it lies beside us, from sources where the bundle would be. */
function pageFolder(): string {
  return typeof __dirname === 'string'
    ? path.join(__dirname, 'view')
    : path.resolve(import.meta.dirname, '../../../plugin/dist/view');
}

/**
 * @param style what the charts look like: it goes with the page's own
 * @returns null when the page has no such file
 * @throws NudgechartError `STATE_UNREADABLE` when it should be there and isn't
 */
export function pageFile(place: string, style: string, folder = pageFolder()): PageFile | null {
  if (!Object.hasOwn(FILES, place)) return null;
  const { name, type } = FILES[place as keyof typeof FILES];
  try {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    return { type, text: name === 'view.css' ? `${text}\n${style}` : text };
  } catch (error) {
    throw new NudgechartError(
      'STATE_UNREADABLE',
      `the page of the live view is not in ${folder}`,
      'install nudgechart again; from its sources: npm run bundle',
      error,
    );
  }
}
