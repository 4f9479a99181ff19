/** Questions to mu, and lines for its log. */
import type { WorkItem } from '../../../src/core/events.ts';
import { DEFAULT_SCOPE, isPlainName } from './names.ts';
import { askMu, type Env, MuRefused, tellMu } from './process.ts';
import { itemsOf, tasksInProgress, tasksOwned } from './state.ts';

/** mu knows no such workstream. */
const NOT_FOUND = 3;

/** `recent` is the only part of the answer that grows. */
const STATE = ['state', '--json', '--events', '0'];

/**
 * The tasks in progress in these workstreams, except those that are expressly nobody's: whoever asks has claimed them
 * for itself. The default workstream is asked beside the named ones, and a workstream that is gone silences no other.
 *
 * @throws when nobody answered, and when `signal` ends
 */
export async function inProgress(scopes: readonly string[], env: Env, signal: AbortSignal): Promise<WorkItem[]> {
  const named = [...new Set(scopes.filter(isPlainName))];
  const asksDefault = named.length === 0 || scopes.some((scope) => !isPlainName(scope));
  const answers = await answered([
    ...(named.length > 0 ? [tasksOf(named, env, signal)] : []),
    ...(asksDefault ? [tasksOf([], env, signal)] : []),
  ]);
  return itemsOf(answers.flat().filter(({ ownerName }) => ownerName !== null));
}

/** The tasks that this agent owns and has begun. @throws when mu can't say, and when `signal` ends */
export async function owned(agent: string, workstream: string, env: Env, signal: AbortSignal): Promise<WorkItem[]> {
  const tasks = tasksOwned(await askMu(['task', 'owned-by', agent, '-w', workstream, '--json'], env, signal));
  return itemsOf(tasks.filter(({ status }) => status === 'IN_PROGRESS'));
}

/** One row per workstream. Doesn't wait, doesn't throw. */
export function log(scopes: readonly string[], line: string, env: Env): void {
  const text = line.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim().slice(0, 500);
  // mu reads its log when it is given no text, and takes a text that begins with a dash for an option.
  if (text === '') return;
  const said = text.startsWith('-') ? `nudgechart: ${text}` : text;
  for (const scope of new Set(scopes.map((one) => (isPlainName(one) ? one : DEFAULT_SCOPE)))) {
    tellMu(['log', ...(scope === DEFAULT_SCOPE ? [] : ['-w', scope]), '--kind', 'nudge', said], env);
  }
}

type Tasks = ReturnType<typeof tasksInProgress>;

async function tasksOf(workstreams: readonly string[], env: Env, signal: AbortSignal): Promise<Tasks> {
  try {
    const options = workstreams.flatMap((workstream) => ['-w', workstream]);
    return tasksInProgress(await askMu([...STATE, ...options], env, signal));
  } catch (error) {
    const oneIsUnknown = error instanceof MuRefused && error.exitCode === NOT_FOUND && workstreams.length > 1;
    if (!oneIsUnknown) throw error;
    return (await answered(workstreams.map((workstream) => tasksOf([workstream], env, signal)))).flat();
  }
}

/** The answers that came. @throws what went wrong first when none came */
async function answered(questions: readonly Promise<Tasks>[]): Promise<Tasks[]> {
  const ended = await Promise.allSettled(questions);
  const answers = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = ended.find((one) => one.status === 'rejected');
  if (answers.length === 0 && failed !== undefined) throw failed.reason;
  return answers;
}
