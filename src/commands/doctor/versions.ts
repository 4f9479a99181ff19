import { hostVersion, runningHosts } from './agreement.ts';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';
import { ourPlugins } from './registration.ts';

/** The oldest Node that has what we use. */
const OLDEST = [20, 16];

export const examineVersions: Examine = (patient) => {
  const agents = runningHosts(patient).flatMap(({ agent }) => (agent === null ? [] : [hostVersion(agent)]));
  const versions = [`nudgechart ${patient.version}`, `Node ${patient.node}`, ...new Set(agents)].join(', ');
  const node = isNewEnough(patient.node)
    ? ok('versions', versions)
    : wrong('versions', `${versions}: this Node is too old`, `use Node ${OLDEST.join('.')} or later`);
  return [node, ...ourPlugins(patient).flatMap((id) => otherVersions(id, patient))];
};

/** The host keeps copies of a plugin: its hooks may be older or newer than this command. */
function otherVersions(id: string, { claude, version }: Patient): Finding[] {
  const others = (claude.installed?.[id] ?? []).filter((copy) => copy !== '' && copy !== version);
  return [...new Set(others)].map((other) =>
    note('versions', `plugin ${id} is ${other}, this command ${version}`, `run: claude plugin update ${id}`),
  );
}

function isNewEnough(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
