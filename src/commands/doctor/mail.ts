/** Can sessions be reached, and what answers the hooks of a tool call? */
import { peersIn } from '../../../adapters/mail/local/presence.ts';
import { shown } from '../session-names.ts';
import { counted, quoted } from '../table.ts';
import { hostVersion, type RunningHost, runningHosts } from './agreement.ts';
import { type Examine, type Finding, note, ok } from './finding.ts';
import { ourPlugins } from './registration.ts';
import { usableRoot } from './state-folder.ts';

/** The first Claude Code that has hooks without a process. */
const FAST = [2, 1, 118];

export const examineMail: Examine = (patient) => {
  const root = usableRoot(patient.env, patient.files);
  const peers = root === null ? [] : peersIn(root, patient.now, patient.files);
  const here = peers.map(({ name }) => quoted(name, 40)).join(', ');
  const servers = ok(
    'mail',
    peers.length === 0
      ? 'no server runs: nobody can be reached just now'
      : `${counted(peers.length, 'server')} here: ${here}`,
  );
  const served = new Set(peers.flatMap(({ sessions }) => sessions));
  const hosts = ourPlugins(patient).length === 0 ? [] : runningHosts(patient);
  return [servers, ...hosts.flatMap((host) => [...unserved(host, served), ...hookPath(host)])];
};

function unserved({ session, pid }: RunningHost, served: ReadonlySet<string>): Finding[] {
  if (served.has(session)) return [];
  return [
    note(
      'mail',
      `session ${shown(session)} of process ${pid} has no server: it can’t be reached, and its tool calls bring no reminders`,
      'normal while it starts; else look at /mcp in that session',
    ),
  ];
}

function hookPath({ agent, pid }: RunningHost): Finding[] {
  const version = agent === null ? null : /\d+\.\d+\.\d+/.exec(hostVersion(agent))?.[0];
  if (version === null || version === undefined) return [];
  const parts = version.split('.').map(Number);
  const differs = FAST.findIndex((number, i) => number !== parts[i]);
  if (differs < 0 || (parts[differs] ?? 0) > (FAST[differs] ?? 0)) {
    return [ok('mail', `tool calls of process ${pid} are answered by its server, without a process`)];
  }
  return [
    note(
      'mail',
      `process ${pid} is ${hostVersion(agent ?? '')}, too old for hooks without a process: its tool calls bring no reminders`,
      `update it to ${FAST.join('.')} or later, or use the hooks of examples/claude-code`,
    ),
  ];
}
