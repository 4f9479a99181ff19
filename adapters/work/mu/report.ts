/** How many tasks, where, and the exact command that goes on from there. Names that no command line could take are counted. */
import type { WorkItem } from '../../../src/core/events.ts';
import { quote } from '../../../src/core/quote.ts';
import { isPlainName, isPlainRef } from './names.ts';

const MOST_NAMED = 8;

/** For whoever handed the work out. */
export function reportInProgress(items: readonly WorkItem[]): string {
  const { named, more } = picked(items);
  const next = named.length > 0 ? `mu task wait ${named.join(' ')} --first --on-stall exit${more}` : 'mu state';
  return `[mu] ${counted(items.length)} in ${workstreamsOf(items)}. Next: ${next}`;
}

/** For the worker that owns it. */
export function reportOwned(items: readonly WorkItem[]): string {
  const { named, more } = picked(items);
  const [first = '<id>'] = named;
  const listed = named.length > 0 ? `: ${named.join(', ')}${more}` : '';
  const close =
    items.length === 1
      ? `Close it with mu task close ${first}, or say why it stays open.`
      : `Close each with its own mu task close, like mu task close ${first}, or say why it stays open.`;
  return `[mu] You still own ${counted(items.length)}${listed}. ${close}`;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'task' : 'tasks'} IN_PROGRESS`;
}

function picked(items: readonly WorkItem[]): { named: readonly string[]; more: string } {
  const named = items
    .map(({ ref }) => ref)
    .filter(isPlainRef)
    .slice(0, MOST_NAMED);
  return { named, more: moreThan(named.length, items.length) };
}

function moreThan(shown: number, all: number): string {
  return all > shown ? ` (+${all - shown} more)` : '';
}

function workstreamsOf(items: readonly WorkItem[]): string {
  const names = [...new Set(items.map(({ ref }) => ref.slice(0, ref.lastIndexOf('/'))))];
  const shown = names.slice(0, MOST_NAMED).map((name) => (isPlainName(name) ? name : quote(name, 48).text));
  return `${shown.join(', ')}${moreThan(shown.length, names.length)}`;
}
