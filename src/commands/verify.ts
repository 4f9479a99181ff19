/** `nudgechart verify [policy|file]`: can a policy trap an agent? Shows the shortest way when it can. */
import { defineCommand } from 'citty';
import { policies } from '../../machines/index.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { CHECKS, type Check } from '../verify/finding.ts';
import { type Report, verify } from '../verify/verify.ts';
import { loadPolicy } from './load-policy.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { json } from './table.ts';

export interface VerifyCommandOptions {
  /** A built-in policy's name, or a file with a policy; all built-in ones unless told. */
  readonly what?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * @returns the exit code: 0 when every check of every policy passes, else 1
 * @throws NudgechartError `ARGUMENT_INVALID` for a name that nothing has, `POLICY_INVALID` for a file without a policy
 */
export async function runVerify(
  { what, json: asJson = false }: VerifyCommandOptions,
  { out }: Pick<Surroundings, 'out'>,
  builtIn: readonly AnyPolicy[] = policies,
): Promise<number> {
  const meant = what === undefined ? builtIn : [await find(what, builtIn)];
  const reports = meant.map((policy) => verify(policy));
  const ok = reports.every((report) => report.ok);
  if (asJson) out(json({ ok, policies: reports }));
  else out(reports.map((report) => reportLines(report).join('\n')).join('\n\n'));
  return ok ? 0 : 1;
}

async function find(what: string, builtIn: readonly AnyPolicy[]): Promise<AnyPolicy> {
  const named = builtIn.find(({ machine }) => machine.id === what);
  if (named !== undefined) return named;
  if (/[./\\]/.test(what)) return await loadPolicy(what);
  const names = builtIn.map(({ machine }) => machine.id).join(', ');
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no policy ${quote(what).text}`,
    `give one of ${names}, or the file of one of your own, for example ./${what}.machine.ts`,
  );
}

/** What was found, for a person: every promise, and how one that isn't kept is broken. */
export function reportLines({ policy, explored: { states, transitions }, findings, unexamined }: Report): string[] {
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
  return [`${policy}: ${states} states, ${transitions} events tried`, ...checks];
}

export const verifyCommand = defineCommand({
  meta: { name: 'verify', description: 'Explores a policy and tells whether it can trap an agent. Exits 1 if it can.' },
  args: {
    policy: {
      type: 'positional',
      description: 'A built-in policy, or a file with one; all built-in ones if left out',
      required: false,
    },
    json: { type: 'boolean', description: 'One JSON document' },
  },
  async run({ args }) {
    process.exitCode = await runVerify({ what: args.policy, json: args.json }, surroundings());
  },
});
