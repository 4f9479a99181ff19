/** What happened, in a few words. Whatever a peer or a host named is quoted and short. */
import type { Event } from '../../core/events.ts';
import type { TraceLine } from '../../core/ports.ts';
import { quote } from '../../core/quote.ts';
import { recalled } from '../../core/traceable.ts';
import { shown } from '../session-names.ts';
import { counted } from '../table.ts';

/** So many characters of a name, and so many names. */
const [LONGEST, MOST] = [48, 4];

/** `Bash finished`; several things stand side by side. */
export function happening({ at, facts, events }: TraceLine): string {
  const told = facts === undefined ? events.map(ofType) : facts.map((fact) => ofFact(fact, at));
  if (told.length === 0) return 'looked for news';
  return listed(told, told.length);
}

function ofFact(fact: { readonly type: string }, at: number): string {
  const event = recalled(fact, at);
  return event === null ? ofType(fact.type) : ofEvent(event);
}

/** All that an older line has, or one of a newer version. */
function ofType(type: string): string {
  return named(type.replace(/^([a-z]+)\.([a-z]+)$/, '$1 $2'));
}

function named(text: string): string {
  return /^[\w.:-]+( [\w.:-]+)?$/.test(text) && text.length <= LONGEST ? text : q(text);
}

const q = (text: string) => quote(text, LONGEST).text;

type Words = { readonly [E in Event as E['type']]: (event: E) => string };

const WORDS: Words = {
  'session.started': ({ source }) => `the session began (${source})`,
  'session.ended': ({ reason }) => `the session ended (${named(reason)})`,
  'prompt.submitted': ({ from }) => (from === 'request' ? 'a request came' : 'the host spoke to the agent'),
  'tool.finished': ({ name, failed, by }) =>
    `${shown(name.slice(0, LONGEST))} ${failed ? 'failed' : 'finished'}${by === 'subagent' ? ' in a subagent' : ''}`,
  'turn.ended': ({ outcome, continued, background }) =>
    [
      outcome === 'completed' ? 'the turn ended' : `the turn ended (${outcome})`,
      ...(continued ? ['kept going by a hook'] : []),
      ...(background.length > 0 ? [`${counted(background.length, 'thing')} in the background`] : []),
    ].join(', '),
  'task.opened': ({ peer, name, task, by }) =>
    by === 'marker' ? `a marker file names task ${q(task)} for ${q(peer)}` : `${q(name ?? peer)} asked for ${q(task)}`,
  'task.updated': ({ task }) => (task === null ? 'progress was reported' : `progress was reported on ${q(task)}`),
  'task.blocked': ({ peer, task }) => `${q(peer)} was asked about ${q(task)}`,
  'task.answered': ({ peer, task }) => `${q(peer)} answered about ${q(task)}`,
  'task.closed': ({ task, status, by }) =>
    `task ${q(task)} ended: ${status}${by === 'peer' ? ', by the peer' : by === 'marker' ? ', its marker file is gone' : ''}`,
  'task.reminded': () => 'another hook has reminded',
  'task.delegated': ({ peer, task, answers }) =>
    answers === null ? `${q(peer)} was asked for ${q(task)}` : `${q(peer)} got an answer about ${q(task)}`,
  'task.reported': ({ peer, task, status }) => `${q(peer)} reported on ${q(task)}: ${status}`,
  'work.dispatched': ({ source, scopes }) =>
    `work was handed out (${[named(source), ...scopes.slice(0, MOST).map(named)].join(' ')})`,
  'work.counted': ({ source, items }) => `${named(source)} has ${items.length} in progress`,
  'work.unknown': ({ source, reason }) => `${named(source)} can’t tell: ${q(reason)}`,
  'mail.arrived': ({ messages }) => `${counted(messages.length, 'message')} came from ${sendersOf(messages)}`,
  'mail.read': ({ messages }) => `${counted(messages.length, 'message')} read`,
  'clock.ticked': () => 'time passed',
};

function ofEvent(event: Event): string {
  return (WORDS[event.type] as (event: Event) => string)(event);
}

function sendersOf(messages: readonly { peer: string; name: string | null }[]): string {
  const senders = [...new Set(messages.map(({ peer, name }) => name ?? peer))];
  return listed(senders.map(q), senders.length);
}

function listed(words: readonly string[], count: number): string {
  const more = count > MOST ? ` and ${count - MOST} more` : '';
  return `${words.slice(0, MOST).join(', ')}${more}`;
}
