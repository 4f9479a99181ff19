/** Where added policies are kept. Needs no schema library: the hook's first step asks whether there are any. */
import path from 'node:path';
import type { Files } from './files.ts';

/** What has been added, in order. Only there while something is. */
export function policyList(root: string): string {
  return path.join(root, 'policies.json');
}

/** One CommonJS module for each. */
export function policyFolder(root: string): string {
  return path.join(root, 'policies');
}

/** One look at the disk. */
export function hasPolicies(root: string, files: Files): boolean {
  return files.info(policyList(root)) !== null;
}
