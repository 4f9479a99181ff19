/** What events, guards and actions are called in a picture. What has no name of its own says so. */
import { type AnyStateNode, and, not, or } from 'xstate';

const NAMELESS = '(inline)';

/** Delays and completions carry the state's id: in a picture they stand at that state. */
export function eventLabel(event: string, { id }: Pick<AnyStateNode, 'id'>): string {
  if (event === '') return 'always';
  const [, delay] = /^xstate\.after\.(.*)$/s.exec(withoutEnd(event, `.${id}`)) ?? [];
  if (delay !== undefined) return /^\d+$/.test(delay) ? `after ${delay} ms` : `after ${delay}`;
  if (event === `xstate.done.state.${id}`) return 'done';
  const [, outcome, actor = ''] = /^xstate\.(done|error)\.actor\.(.*)$/s.exec(event) ?? [];
  return outcome === undefined ? event : `${outcome} ${withoutEnd(actor, `.${id}`)}`;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Guards made of others are spelt out: `isDue && !isMuted`. */
export function guardName(guard: unknown): string | null {
  if (guard === undefined || guard === null) return null;
  if (typeof guard === 'function' && 'check' in guard && 'guards' in guard) return composedName(guard);
  return partName(guard);
}

/** How the library's own combinations are known from each other: each has one function that asks. */
const JOINTS = new Map<unknown, string>([
  [checkIn(and([])), ' && '],
  [checkIn(or([])), ' || '],
]);
const NOT = checkIn(not(() => true));

function checkIn(guard: object): unknown {
  return 'check' in guard ? guard.check : undefined;
}

function composedName(guard: object & { check: unknown; guards: unknown }): string {
  const parts = Array.isArray(guard.guards) ? guard.guards.map((part) => [part, guardName(part) ?? NAMELESS]) : [];
  const said = parts.map(([part, name]) => (JOINTS.has(checkIn(Object(part))) ? `(${name})` : `${name}`));
  if (guard.check === NOT) return `!${said.join('')}`;
  const joint = JOINTS.get(guard.check);
  return joint === undefined ? NAMELESS : said.join(joint);
}

/** Without those that the library adds by itself to keep time. */
export function actionNames(actions: readonly unknown[]): string[] {
  return actions.filter((action) => !isTimekeeping(action)).map(partName);
}

function isTimekeeping(action: unknown): boolean {
  if (typeof action !== 'function') return false;
  const { id, sendId } = action as { id?: unknown; sendId?: unknown };
  return [id, sendId].some((one) => typeof one === 'string' && one.startsWith('xstate.after.'));
}

function partName(part: unknown): string {
  if (typeof part === 'string') return part;
  const type = part instanceof Object && 'type' in part ? part.type : undefined;
  return typeof type === 'string' ? type.replace(/^xstate\./, '') : NAMELESS;
}
