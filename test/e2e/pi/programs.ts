// Gets the pi that these tests are written against, and a Node that it runs on: exact versions, fetched from npm on first use.

import path from 'node:path';
import { fetched, findNode22, orMissing } from '../fetched.ts';

const VERSION = '1.6.0';

export interface Programs {
  /** pi's own script. */
  readonly pi: string;
  /** pi's package, for its types. */
  readonly folder: string;
  /** A Node that is new enough for it. */
  readonly node: string;
}

export function findPrograms(): Programs | { readonly missing: string } {
  return orMissing(`pi ${VERSION}`, () => {
    const modules = fetched(`pi-${VERSION}`, `@earendil-works/pi-coding-agent@${VERSION}`);
    const folder = path.join(modules, '@earendil-works', 'pi-coding-agent');
    return { folder, pi: path.join(folder, 'dist', 'bundle', 'cli.js'), node: findNode22() };
  });
}
