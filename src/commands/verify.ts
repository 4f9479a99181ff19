/** `nudgechart verify [policy|file]`: can a policy trap an agent? Shows the shortest way when it can. */
import { defineCommand } from 'citty';
import { policies } from '../../machines/index.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { CHECKS, type Check } from '../verify/finding.ts';
import type { Report, VerifyOptions } from '../verify/verify.ts';
import { accepted, optionsIn } from './policy-options.ts';
import { type Meant, policyOrFile } from './policy-or-file.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { json } from './table.ts';
import { verified } from './verified.ts';

export interface VerifyCommandOptions {
  /** The name of a policy, built in or added, or a file with one; all built-in ones unless told. */
  readonly what?: string | undefined;
  /** As JSON: options to run it with, beside those of its examples. Of an added one: those that it runs with, unless given. */
  readonly options?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * @returns the exit code: 0 when every check of every policy passes, else 1
 * @throws NudgechartError `ARGUMENT_INVALID` for a name that nothing has and for options that don't fit, `POLICY_INVALID` for
 * a file without a policy, and for a policy that doesn't come back
 */
export async function runVerify(
  { what, options, json: asJson = false }: VerifyCommandOptions,
  { out, env }: Pick<Surroundings, 'out' | 'env'>,
  builtIn: readonly AnyPolicy[] = policies,
): Promise<number> {
  const said = options === undefined ? undefined : optionsIn(options);
  if (said !== undefined && what === undefined) {
    const next = `write for example nudgechart verify ./pause.machine.ts --options '${options}'`;
    throw new NudgechartError('ARGUMENT_INVALID', '--options needs the policy that they are for', next);
  }
  const meant =
    what === undefined ? builtIn.map((policy): Meant => ({ policy })) : [await policyOrFile(what, builtIn, env)];
  const reports = meant.map((one) => verified(one.policy, runningWith(one, said)));
  const ok = reports.every((report) => report.ok);
  if (asJson) out(json({ ok, policies: reports }));
  else out(reports.map((report) => reportLines(report).join('\n')).join('\n\n'));
  return ok ? 0 : 1;
}

function runningWith({ policy, options }: Meant, said: unknown): VerifyOptions {
  if (said !== undefined) return { runWith: accepted(policy, said) };
  return options === undefined ? {} : { runWith: options };
}

/** What was found, for a person: every promise, and how one that isn't kept is broken. */
export function reportLines(report: Report): string[] {
  const { policy, explored, findings, unexamined, notes } = report;
  const checks = Object.entries(CHECKS).flatMap(([check, promise]) => {
    const broken = findings.filter((finding) => finding.check === (check as Check));
    if (broken.length === 0)
      return [unexamined.includes(check as Check) ? `  - ${promise}: not examined` : `  ✓ ${promise}`];
    return [
      `  ✗ ${promise}`,
      ...broken.flatMap(({ message, counterexample }) => [
        `    ${message}${counterexample.length > 0 ? ':' : ''}`,
        ...counterexample.map((line) => `      ${line}`),
      ]),
    ];
  });
  const heading = `${policy}: ${explored.states} states, ${explored.transitions} events tried`;
  return [heading, ...checks, ...notes.map((note) => `  note: ${note}`)];
}

export const verifyCommand = defineCommand({
  meta: { name: 'verify', description: 'Explores a policy and tells whether it can trap an agent. Exits 1 if it can.' },
  args: {
    policy: {
      type: 'positional',
      description: 'The name of a built-in or added policy, or a file with one; all built-in ones if left out',
      required: false,
    },
    options: { type: 'string', description: 'Options to run it with, a JSON object, as add takes', valueHint: 'json' },
    json: { type: 'boolean', description: 'One JSON document' },
  },
  async run({ args: { policy, options, json: asJson } }) {
    process.exitCode = await runVerify({ what: policy, options, json: asJson }, surroundings());
  },
});
