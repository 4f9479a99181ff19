/** Which names of mu may stand in an argument list and in a sentence. */

/** Made by mu itself for work without a plan. Nobody waits for it. */
export const SCRATCH = 'scratch';

/** The workstream that mu itself finds when it is told none. */
export const DEFAULT_SCOPE = '';

/** Can't be taken for an option, a path or shell syntax, and reads as what it is. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_][\w.-]{0,127}$/.test(name);
}

/** `workstream/name`, as mu's commands take it. */
export function isPlainRef(ref: string): boolean {
  const [workstream = '', name = '', ...more] = ref.split('/');
  return more.length === 0 && isPlainName(workstream) && isPlainName(name);
}
