/** `nudgechart inspect`: live decisions for the Stately Inspector, through a relay that only this machine can reach. */
import { defineCommand } from 'citty';
import type { TraceRead } from '../../adapters/store/read-trace.ts';
import { type Env, stateRoot } from '../../adapters/store/root.ts';
import type { Configured } from '../core/policy.ts';
import { type Traced, tracedIn } from './explain/traced.ts';
import { followSessions, type Join } from './followed-sessions.ts';
import { createActors } from './inspect/actors.ts';
import { loadLibrary } from './inspect/library.ts';
import { openBrowser } from './inspect/open-browser.ts';
import { openRelay } from './inspect/relay.ts';
import { checkPolicy } from './policy-meant.ts';
import { type LiveChart, readSession } from './sessions.ts';
import { configuredPolicies } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { counted } from './table.ts';

export interface InspectOptions {
  /** An id or the beginning of one; not given: those that were active lately, and all that go on. */
  readonly session?: string | undefined;
  readonly policy?: string | undefined;
  /** Also opens the page. */
  readonly open?: boolean | undefined;
}

const NOTICE = [
  'Opening it loads a page of stately.ai, the Stately Inspector, into your browser. That page is then told what stands in',
  'the charts and of every decision: states, events, times, and names of sessions, peers and tasks. Messages, prompts and',
  'commands are not among it. Until you open it nothing leaves this machine.',
];

/**
 * Serves until the signal comes.
 * @throws NudgechartError `LIBRARY_MISSING`, `ARGUMENT_INVALID`, `SESSION_INVALID`, `ROOT_REFUSED`, `ROOT_UNKNOWN`; Node's
 * error when it can't listen
 */
export async function inspect(options: InspectOptions, here: Surroundings, signal: AbortSignal): Promise<void> {
  const { env, out } = here;
  const root = stateRoot(env).path;
  const configured = configuredPolicies(env);
  checkPolicy(options.policy, [], env);
  const library = await loadLibrary(here.cwd ?? root);
  const wanted = configured.map(({ policy }) => policy).filter(isWanted(options.policy));
  const actors = createActors(library, wanted, (message) => relay.send(message));
  const relay = await openRelay(library, actors.everything);
  const introduced = new Set<string>();
  const introduce = (session: Traced) => {
    if (introduced.has(session.folder)) return;
    introduced.add(session.folder);
    actors.introduce(session, chartsIn(session.folder, env, configured), Date.now());
  };
  const following = {
    root,
    signal,
    withOthers: options.session === undefined,
    begin(join: Join) {
      const sessions = tracedIn(env, options.session, here.now);
      for (const session of sessions) {
        // Where its trace ends comes first: a decision between the two is told once more rather than not at all.
        join(session.folder);
        introduce(session);
      }
      out(`inspecting ${counted(sessions.length, 'session')}, Ctrl-C ends it: ${relay.url}`);
      for (const line of NOTICE) out(line);
      if (options.open === true) openBrowser(relay.url, out);
      return sessions;
    },
    tell(session: Traced, { lines }: TraceRead) {
      for (const line of lines) actors.decided(session, line);
      introduce(session);
    },
  };
  try {
    await followSessions(following);
  } finally {
    await relay.close();
  }
}

/** What can't be read now is introduced by its next decision. */
function chartsIn(folder: string, env: Env, configured: readonly Configured[]): LiveChart[] {
  try {
    const charts = readSession(folder, env, configured)?.charts ?? [];
    return charts.filter((chart) => chart.kind === 'live');
  } catch {
    return [];
  }
}

function isWanted(wanted: string | undefined) {
  return ({ machine }: { machine: { id: string } }) => wanted === undefined || machine.id === wanted;
}

export const inspectCommand = defineCommand({
  meta: {
    name: 'inspect',
    description: 'Streams decisions to the Stately Inspector, as they are taken, until Ctrl-C.',
  },
  args: {
    session: { type: 'string', description: 'Only this session: its id, or the beginning of it', valueHint: 'id' },
    policy: { type: 'string', description: 'Only charts of this policy, for example task', valueHint: 'name' },
    open: { type: 'boolean', description: 'Opens the page, which loads one of stately.ai, in your browser' },
  },
  async run({ args: { session, policy, open } }) {
    const over = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => over.abort());
    await inspect({ session, policy, open }, surroundings(), over.signal);
  },
});
