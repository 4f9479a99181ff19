/** Do hook, server and host mean the same session? */
import path from 'node:path';
import type { Files } from '../../../adapters/store/files.ts';
import type { Host } from '../../../adapters/store/hosts.ts';
import { readHost } from '../../../adapters/store/hosts.ts';
import { quote } from '../../core/quote.ts';
import { shown } from '../session-names.ts';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';
import { usableRoot } from './state-folder.ts';

const SESSION = 'CLAUDE_CODE_SESSION_ID';
const PIN = 'INTERLINK_SESSION';

export interface RunningHost extends Host {
  readonly pid: number;
}

export const examineAgreement: Examine = (patient) => {
  const hosts = runningHosts(patient);
  return [...pinned(patient), ...hosts.map(described), ...ownSession(patient, hosts)];
};

function pinned({ env }: Patient): Finding[] {
  const pin = env[PIN]?.trim() ?? '';
  if (pin === '') return [];
  return [
    wrong(
      'session',
      `${PIN} is ${quote(pin).text}: interlink’s server marks its tasks under that id, hooks look under the host’s own`,
      `unset ${PIN}`,
    ),
  ];
}

function described({ pid, session, agent }: RunningHost): Finding {
  return ok(
    'session',
    `${agent === null ? 'a host' : hostVersion(agent)}, process ${pid}, is in session ${shown(session)}`,
  );
}

function ownSession({ env }: Patient, hosts: readonly RunningHost[]): Finding[] {
  const said = env[SESSION];
  if (said === undefined) {
    return hosts.length > 0 ? [] : [ok('session', 'no running host has said which session it is in')];
  }
  const id = said.trim();
  if (id === '' || id.includes('${')) {
    const what = id === '' ? 'blank' : `${quote(id).text}, a name that nobody has replaced`;
    const next = `remove ${SESSION} from the env where it is set so: the host sets it itself`;
    return [wrong('session', `${SESSION} is ${what}`, next)];
  }
  if (hosts.some(({ session }) => session === id)) return [];
  return [
    note(
      'session',
      `this is session ${shown(id)}, and no running host has said so`,
      'normal right after installing: start a new session; if it stays, see registration and failures',
    ),
  ];
}

/** Hosts that have noted which session they are in, and still run. */
export function runningHosts({ env, files, isRunning }: Patient): RunningHost[] {
  const root = usableRoot(env, files);
  if (root === null || files.info(path.join(root, 'hosts')) === null) return [];
  const pids = files.list(path.join(root, 'hosts')).filter((name) => /^[1-9][0-9]{0,9}$/.test(name));
  return pids
    .sort((a, b) => Number(a) - Number(b))
    .filter((pid) => isRunning(Number(pid)))
    .flatMap((pid) => {
      const host = readable(root, files, pid);
      return host === null ? [] : [{ pid: Number(pid), ...host }];
    });
}

function readable(root: string, files: Files, pid: string): Host | null {
  try {
    return readHost(root, files, pid);
  } catch {
    return null;
  }
}

/** `claude-code 2.1.332` from `claude-code_2-1-332_…`; whatever else it is, as it is. */
export function hostVersion(agent: string): string {
  const [, name, version] = /^([a-z-]+)_(\d+-\d+-\d+)(?:_|$)/.exec(agent) ?? [];
  return name === undefined || version === undefined
    ? quote(agent, 40).text
    : `${name} ${version.replaceAll('-', '.')}`;
}
