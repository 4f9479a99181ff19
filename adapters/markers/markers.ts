/**
 * Marker files as a source of news, and the way back: what we know, written for interlink's hook.
 *
 * Our tasks live in our document; files never open or close them. A marker that we did not write is one foreign task; it
 * is never overwritten and never deleted.
 */
import * as z from 'zod/mini';
import type { Event } from '../../src/core/events.ts';
import { Instant } from '../../src/core/instant.ts';
import type { Claim } from '../../src/core/keys.ts';
import { once } from '../../src/core/once.ts';
import type { NewsSource } from '../../src/core/ports.ts';
import { type Files, nodeFiles } from '../store/files.ts';
import { Marker, type MarkerFiles, type MarkerNews, markerFiles, SKEW_MS } from './marker-files.ts';

/**
 * `foreign`: the task of a marker that isn't ours. `wanted`: the last markers that we wanted, the newest first; more than
 * one, because a process can die between its commit and the file. The stamps are those that were seen or written last.
 */
const Memory = once(() =>
  z.object({
    foreign: z.nullable(Marker()),
    wanted: z.array(Marker()),
    lastUpdate: z.nullable(Instant),
    lastNudge: z.nullable(Instant),
  }),
);
type Memory = z.infer<ReturnType<typeof Memory>>;

const MOST_WANTED = 4;

const NOTHING: Memory = { foreign: null, wanted: [], lastUpdate: null, lastNudge: null };

/** @param root interlink's folder of task folders */
export function createMarkers({ root, files = nodeFiles }: { root: string; files?: Files }): NewsSource {
  return {
    name: 'markers',

    read({ session, memory, claims, at }) {
      const known = recalled(memory);
      const folder = markerFiles(root, session, files);
      if (folder === null) return { events: [], memory: known };
      const stamps = { lastUpdate: folder.readStamp('last-update', at), lastNudge: folder.readStamp('last-nudge', at) };
      const found = folder.readMarker();
      const foreign = foreignIn(found, known, claims);
      const events = [
        ...changes(known.foreign, foreign, stamps.lastUpdate, at),
        ...stampNews('task.updated', stamps.lastUpdate, known.lastUpdate, at),
        ...stampNews('task.reminded', stamps.lastNudge, known.lastNudge, at),
      ];
      return {
        events,
        memory: {
          foreign,
          wanted: known.wanted,
          lastUpdate: stamps.lastUpdate ?? known.lastUpdate,
          lastNudge: stamps.lastNudge ?? known.lastNudge,
        },
      };
    },

    remember({ memory, claims }) {
      const told = memory as Memory;
      // Stamps concern nobody where there is no task.
      if (claims.length === 0 && told.foreign === null) return undefined;
      return {
        foreign: told.foreign,
        wanted: wantedSoFar(told.wanted, wantedOf(claims)),
        lastUpdate: latest([told.lastUpdate, ...own(claims).map((claim) => claim.lastUpdateAt)]),
        lastNudge: latest([told.lastNudge, ...claims.map((claim) => claim.lastNudgeAt)]),
      } satisfies Memory;
    },

    publish({ session, memory, claims, at }) {
      try {
        const folder = markerFiles(root, session, files);
        if (folder === null) return;
        const told = (memory ?? NOTHING) as Memory;
        const { lastUpdate, lastNudge } = told;
        publishMarker(folder, told, claims);
        if (own(claims).length > 0 && isLater(lastUpdate, folder.readStamp('last-update', at))) {
          folder.writeStamp('last-update', lastUpdate ?? 0);
        }
        if (isLater(lastNudge, folder.readStamp('last-nudge', at))) folder.writeStamp('last-nudge', lastNudge ?? 0);
      } catch {
        // Best effort: the document has what counts.
      }
    },
  };
}

function publishMarker(folder: MarkerFiles, memory: Memory, claims: readonly Claim[]): void {
  const found = folder.readMarker();
  const wanted = wantedOf(claims);
  if (found === 'unknown') return;
  if (found === 'none') {
    if (wanted !== undefined) folder.createMarker(wanted);
  } else if (isOurs(found, memory, claims)) {
    if (wanted === undefined) folder.removeMarker();
    else if (!isSame(found, wanted)) folder.replaceMarker(wanted);
  }
}

function recalled(memory: unknown): Memory {
  if (memory === undefined) return NOTHING;
  const parsed = Memory().safeParse(memory);
  return parsed.success ? parsed.data : NOTHING;
}

function foreignIn(found: MarkerNews, known: Memory, claims: readonly Claim[]): Marker | null {
  if (found === 'unknown') return known.foreign;
  return found === 'none' || isOurs(found, known, claims) ? null : found;
}

/** Ours is what an own task, open or over, would have written, and what the document says was wanted lately. */
function isOurs(marker: Marker, { wanted }: Memory, claims: readonly Claim[]): boolean {
  return [...wanted, ...own(claims).map(markerOf)].some((one) => isSame(marker, one));
}

function own(claims: readonly Claim[]): Claim[] {
  return claims.filter((claim) => claim.policy === 'task' && !claim.foreign);
}

function markerOf({ peer, task, openedAt }: Claim): Marker {
  return { task, peer, since: openedAt };
}

function isSame(a: Marker, b: Marker): boolean {
  return a.task === b.task && a.peer === b.peer && a.since === b.since;
}

/** The marker that interlink's hook should find: the own task that was opened last and isn't waiting for an answer. */
function wantedOf(claims: readonly Claim[]): Marker | undefined {
  const active = own(claims).filter((claim) => claim.active);
  const [last] = active.sort((a, b) => b.openedAt - a.openedAt);
  return last && markerOf(last);
}

function wantedSoFar(before: readonly Marker[], now: Marker | undefined): Marker[] {
  if (now === undefined || (before[0] !== undefined && isSame(before[0], now))) return [...before];
  return [now, ...before].slice(0, MOST_WANTED);
}

function changes(before: Marker | null, now: Marker | null, lastUpdate: number | null, at: number): Event[] {
  if (before !== null && now !== null && isSame(before, now)) return [];
  const events: Event[] = [];
  if (before !== null && (now === null || now.task !== before.task || now.peer !== before.peer)) {
    const { peer, task } = before;
    events.push({ type: 'task.closed', at, peer, name: null, task, status: 'gone', by: 'marker' });
  }
  if (now !== null) {
    const { peer, task } = now;
    // A marker from the future was made before the clock was set back.
    const since = now.since !== null && now.since <= at + SKEW_MS ? now.since : null;
    const when = Math.min(since ?? lastUpdate ?? at, at);
    events.push({ type: 'task.opened', at, when, peer, name: null, task, message: null, by: 'marker' });
  }
  return events;
}

function stampNews(
  type: 'task.updated' | 'task.reminded',
  found: number | null,
  known: number | null,
  at: number,
): Event[] {
  if (found === null || found === known) return [];
  const when = Math.min(found, at);
  return [type === 'task.updated' ? { type, at, when, peer: null, task: null } : { type, at, when }];
}

function isLater(stamp: number | null, than: number | null): boolean {
  return stamp !== null && (than === null || stamp > than);
}

function latest(stamps: readonly (number | null)[]): number | null {
  return stamps.reduce((best, stamp) => (isLater(stamp, best) ? stamp : best), null);
}
