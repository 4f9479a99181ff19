/** `nudgechart add` and `remove`: which policies of the user's own run. One gets in only when it passes `verify`. */
import fs from 'node:fs';
import { defineCommand } from 'citty';
import {
  type AddedPolicy,
  bundleOf,
  dropPolicy,
  LONGEST_BUNDLE,
  POLICY_NAME,
  putPolicy,
  readPolicies,
  sha256,
} from '../../adapters/store/added-policies.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { checkRoot, makeRoot, stateRoot } from '../../adapters/store/root.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import type { Report } from '../verify/verify.ts';
import { bundlePolicy } from './bundle-policy.ts';
import { policyIn } from './exported-policy.ts';
import { withoutLaterFaults } from './later-faults.ts';
import { accepted, optionsIn } from './policy-options.ts';
import { loadedInTime } from './run-bundle.ts';
import { BUILT_IN } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted } from './table.ts';
import { forgetCounted } from './user-policies.ts';
import { verified } from './verified.ts';
import { reportLines } from './verify.ts';
import { version } from './version.ts';

export interface AddOptions {
  /** A file, or the name of an installed package. */
  readonly what: string;
  /** As JSON; what is left out has the default of the policy's own schema. Not given: as they were, else all defaults. */
  readonly options?: string | undefined;
}

/**
 * Bundles, verifies, and puts in place: the module that was verified is the one that will run.
 * @returns the exit code: 1 when it doesn't pass, and then nothing has changed
 * @throws NudgechartError `ARGUMENT_INVALID`, `POLICY_INVALID`, `ROOT_UNKNOWN`, `ROOT_REFUSED`, `STATE_UNREADABLE`
 */
export async function addPolicy({ what, options }: AddOptions, { env, cwd, now, out }: Surroundings): Promise<number> {
  const root = stateRoot(env);
  const said = options === undefined ? undefined : optionsIn(options);
  const { text, entry, sources } = await bundlePolicy(what, cwd ?? '/');
  if (text.length > LONGEST_BUNDLE) throw tooLong(what, text.length);
  const policy = await policyOf(text, entry, what);
  const name = nameOf(policy);
  const before = readPolicies(root.path, nodeFiles).policies.find((one) => one.name === name);
  if (before !== undefined && before.source !== entry) throw taken(before);
  const given = said ?? before?.options ?? {};
  const inForce = accepted(policy, given);
  const report = await withoutLaterFaults(name, () => verified(policy, { runWith: inForce }));
  if (!report.ok) {
    out([...reportLines(report), '', `${name} was not added: it has to pass first`].join('\n'));
    return 1;
  }
  const added: AddedPolicy = {
    name,
    source: entry,
    sources: Object.fromEntries(sources.map((file) => [file, sha256(fs.readFileSync(file))])),
    sha256: sha256(text),
    options: given,
    verified: report.explored,
    addedAt: now,
    by: version,
  };
  makeRoot(root, env, nodeFiles);
  putPolicy(root.path, added, text, nodeFiles);
  forgetCounted(root.path);
  tell({ name, options: inForce }, report, before !== undefined, bundleOf(root.path, added), out);
  return 0;
}

function tell(
  { name, options }: Pick<AddedPolicy, 'name' | 'options'>,
  { explored, notes }: Report,
  again: boolean,
  module: string,
  out: Surroundings['out'],
) {
  const { states, transitions } = explored;
  out(`${name}: ${counted(states, 'state')}, ${counted(transitions, 'event')} tried, every promise kept`);
  for (const note of notes) out(`note: ${note}`);
  out(`${again ? 'added again' : 'added'} with the options ${JSON.stringify(options)} as ${module}`);
  out('hooks run it from now on; servers and pi that are running take it up when they are started anew');
}

async function policyOf(text: string, entry: string, what: string): Promise<AnyPolicy> {
  try {
    return policyIn(await withoutLaterFaults(quote(what).text, () => loadedInTime(text, entry)), what);
  } catch (error) {
    if (error instanceof NudgechartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NudgechartError(
      'POLICY_INVALID',
      `${quote(what).text} can’t be loaded: ${reason}`,
      'correct the file',
      error,
    );
  }
}

/** The id of its machine, where that can be a name among others. @throws NudgechartError `POLICY_INVALID` */
function nameOf({ machine: { id } }: AnyPolicy): string {
  const said = quote(id, 48).text;
  if (!POLICY_NAME.test(id) || id in {}) {
    throw new NudgechartError(
      'POLICY_INVALID',
      `its machine is called ${said}, which is no name for a policy`,
      'give it an id of up to 32 small letters, digits and hyphens that begins with a letter',
    );
  }
  if (!BUILT_IN.has(id)) return id;
  throw new NudgechartError('POLICY_INVALID', `${said} is a built-in policy`, 'give its machine another id');
}

function taken({ name, source }: AddedPolicy): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    `there is a policy ${name} already, added from ${source}`,
    `run nudgechart remove ${name} first, or give this machine another id`,
  );
}

function tooLong(what: string, length: number): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    `${quote(what).text} makes a module of ${length} characters; ${LONGEST_BUNDLE} are allowed`,
    'import less: every hook loads it',
  );
}

/** @throws NudgechartError `ARGUMENT_INVALID` when nothing of that name has been added, `ROOT_REFUSED`, `STATE_UNREADABLE` */
export function removePolicy(name: string, { env, out }: Surroundings): void {
  const root = stateRoot(env).path;
  checkRoot(root, nodeFiles);
  const names = readPolicies(root, nodeFiles).policies.map((one) => one.name);
  if (!names.includes(name) || !dropPolicy(root, name, nodeFiles)) throw notAdded(name, names);
  forgetCounted(root);
  out(`${name} removed; its charts are kept in their sessions, silent`);
}

function notAdded(name: string, names: readonly string[]): NudgechartError {
  if (BUILT_IN.has(name)) {
    const next = `run nudgechart off --policy ${name}: that silences it`;
    return new NudgechartError('ARGUMENT_INVALID', `${name} is built in`, next);
  }
  return new NudgechartError(
    'ARGUMENT_INVALID',
    `no policy ${quote(name).text} has been added`,
    names.length === 0
      ? 'nothing: none has been added yet; nudgechart policies lists what there is'
      : `name one that has been added: ${names.join(', ')}`,
  );
}

export const add = defineCommand({
  meta: { name: 'add', description: 'Verifies a policy of yours and adds it. Exits 1 when it could trap an agent.' },
  args: {
    policy: { type: 'positional', description: 'Its file, TypeScript too, or an installed package', required: true },
    options: { type: 'string', description: 'Its options, a JSON object', valueHint: 'json' },
  },
  async run({ args: { policy, options } }) {
    process.exitCode = await addPolicy({ what: policy, options }, surroundings());
  },
});

export const remove = defineCommand({
  meta: { name: 'remove', description: 'Takes a policy out again that was added.' },
  args: { name: { type: 'positional', description: 'What its machine is called', required: true } },
  run: ({ args: { name } }) => removePolicy(name, surroundings()),
});
