/** Which workstreams a shell command hands out work in. */
import { type Invocation, invocationsIn, variable } from '../commands.ts';
import { readArguments } from './arguments.ts';
import { DEFAULT_SCOPE, isPlainName, SCRATCH } from './names.ts';

/**
 * `mu agent send`, `mu agent spawn` and `mu task claim --for`, however they are spelled and wherever they stand.
 *
 * @returns the distinct workstreams, `''` for the one that mu itself finds; null when nothing is handed out. Never throws,
 * quick for any input
 */
export function dispatchedIn(command: string): readonly string[] | null {
  if (!/\bmu\b/.test(command)) return null;
  const scopes = new Set<string>();
  let session: string | null = null;
  for (const invocation of invocationsIn(command)) {
    session = exportedBy(invocation) ?? session;
    for (const scope of scopesOf(invocation, session)) scopes.add(scope);
  }
  scopes.delete(SCRATCH);
  return scopes.size === 0 ? null : [...scopes];
}

/** `export MU_SESSION=x` holds for what follows. */
function exportedBy({ words: [program, ...rest] }: Invocation): string | null {
  if (program !== 'export') return null;
  return rest.find((word) => word.startsWith('MU_SESSION='))?.slice('MU_SESSION='.length) ?? null;
}

function scopesOf(invocation: Invocation, session: string | null): readonly string[] {
  const [program, ...rest] = invocation.words;
  if (program !== 'mu') return [];
  const { operands, workstreams, recipient, self, help } = readArguments(rest);
  const [area, verb, about = ''] = operands;
  const claims = area === 'task' && verb === 'claim' && recipient !== null && !self;
  const sends = area === 'agent' && (verb === 'send' || verb === 'spawn');
  if (help || !(claims || sends)) return [];
  if (workstreams.length > 0) return workstreams.map(checked);
  const named = qualifier(about) ?? qualifier(recipient ?? '') ?? variable(invocation, 'MU_SESSION') ?? session;
  return [checked(named ?? DEFAULT_SCOPE)];
}

/** The workstream in `workstream/name`. */
function qualifier(id: string): string | null {
  const [workstream = '', name = '', ...more] = id.split('/');
  return workstream !== '' && name !== '' && more.length === 0 ? workstream : null;
}

/** A name of which only the shell knows a part isn't plain either. */
function checked(workstream: string): string {
  return isPlainName(workstream) ? workstream : DEFAULT_SCOPE;
}
