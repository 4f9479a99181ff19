/** `nudgechart doctor`: is everything in place, and if not, what to do. Changes nothing but a file that it removes again. */
import { defineCommand } from 'citty';
import { nodeFiles } from '../../adapters/store/files.ts';
import { isRunning } from '../../adapters/store/running.ts';
import { examineAgreement } from './doctor/agreement.ts';
import { hookEnv, readClaudeSettings } from './doctor/claude-settings.ts';
import { type Check, type Examine, type Finding, type Patient, wrong } from './doctor/finding.ts';
import { examineMail } from './doctor/mail.ts';
import { examineMu } from './doctor/mu.ts';
import { examinePolicies, examineProject } from './doctor/policies.ts';
import { examineDocuments, examineFailures } from './doctor/records.ts';
import { examineInterlink, examineRegistration } from './doctor/registration.ts';
import { examineInterval, examineSwitch } from './doctor/reminders.ts';
import { examineStateFolder } from './doctor/state-folder.ts';
import { examineSwitches } from './doctor/switches.ts';
import { examineVersions } from './doctor/versions.ts';
import { examineClose, examineKeepDriving } from './doctor/workers.ts';
import { keepDriving } from './keep-driving.ts';
import { projectFolder } from './project-config.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted, json, table } from './table.ts';
import { version } from './version.ts';

/** In the order in which they are told. */
const CHECKS: readonly (readonly [Check, Examine])[] = [
  ['state-folder', examineStateFolder],
  ['interval', examineInterval],
  ['switch', examineSwitch],
  ['switch', examineSwitches],
  ['policies', examinePolicies],
  ['project', examineProject],
  ['keep-driving', examineKeepDriving],
  ['close', examineClose],
  ['registration', examineRegistration],
  ['interlink', examineInterlink],
  ['mu', examineMu],
  ['session', examineAgreement],
  ['mail', examineMail],
  ['versions', examineVersions],
  ['failures', examineFailures],
  ['documents', examineDocuments],
];

/** Everything that the checks find. `more`: what tests put in the place of the process. */
export function examine({ env, cwd, now }: Omit<Surroundings, 'out'>, more: Partial<Patient> = {}): Finding[] {
  const claude = readClaudeSettings(env, cwd, nodeFiles);
  const patient: Patient = {
    env: hookEnv(env, claude),
    ownEnv: env,
    claude,
    files: nodeFiles,
    now,
    version,
    node: process.versions.node,
    isRunning,
    project: projectFolder(env, cwd),
    rule: keepDriving(),
    ...more,
  };
  return CHECKS.flatMap(([check, examine]) => {
    try {
      return examine(patient);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [wrong(check, `this can’t be looked at: ${why}`, 'see that the place belongs to you')];
    }
  });
}

/** @returns the exit code: 1 when something is wrong */
export function showFindings(findings: readonly Finding[], { out }: Pick<Surroundings, 'out'>, asJson = false): number {
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length;
  const healthy = count('wrong') === 0;
  if (asJson) out(json({ healthy, findings }));
  else {
    const lines = table(findings.map(({ verdict, check, detail }) => [LABELS[verdict], check, detail]));
    const told = findings.flatMap(({ next }, index) => [
      lines[index] ?? '',
      ...(next === null ? [] : [`       next: ${next}`]),
    ]);
    const summary = healthy ? 'nothing is wrong' : `${counted(count('wrong'), 'thing')} wrong`;
    out([...told, '', `${summary}, ${counted(count('note'), 'note')}`].join('\n'));
  }
  return healthy ? 0 : 1;
}

const LABELS = { ok: 'ok', note: 'note', wrong: 'WRONG' } as const;

export const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Tells whether everything is in place, and what to do if not. Exits 1 if not.' },
  args: { json: { type: 'boolean', description: 'One JSON document' } },
  run({ args }) {
    const here = surroundings();
    process.exitCode = showFindings(examine(here), here, args.json);
  },
});
