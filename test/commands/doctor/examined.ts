/** What the doctor says in a scene, by check. */

import type { Check, Finding, Patient } from '../../../src/commands/doctor/finding.ts';
import { examine } from '../../../src/commands/doctor.ts';
import type { Scene } from '../scene.ts';

export function examined(scene: Scene, more: Partial<Patient> = {}): (check: Check) => Finding[] {
  const findings = examine(scene.here, { isRunning: () => true, ...more });
  return (check) => findings.filter((finding) => finding.check === check);
}

export function verdicts(findings: readonly Finding[]): string[] {
  return findings.map(({ verdict }) => verdict);
}
