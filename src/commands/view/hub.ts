/** The one look at the disk that all streams share: while there is none, nobody looks. */
import { stateRoot } from '../../../adapters/store/root.ts';
import type { Overview } from '../../view/live.ts';
import type { Surroundings } from '../surroundings.ts';
import { createOverview } from './overview.ts';
import { type Watch, watchPaced } from './watch.ts';

export interface Hub {
  /** What the last look has found; `change` counts those that found something new, 0: there was none yet. */
  latest(): { readonly change: number; readonly json: string };
  /** Looks at the disk now, tells the streams, and returns what there is. */
  refresh(): Overview;
  /** Told after each look, also when the overview is as it was. @returns takes it back */
  subscribe(told: () => void): () => void;
  close(): void;
}

export function createHub({ env }: Pick<Surroundings, 'env'>): Hub {
  const read = createOverview({ env });
  const listeners = new Set<() => void>();
  let watch: Watch | null = null;
  let content = '';
  let latest = { change: 0, json: '' };

  const refresh = (): Overview => {
    const overview = read(Date.now());
    const before = content;
    content = JSON.stringify({ ...overview, at: 0 });
    latest = { change: latest.change + (content === before ? 0 : 1), json: JSON.stringify(overview) };
    for (const told of [...listeners]) told();
    return overview;
  };

  const stop = () => {
    watch?.stop();
    watch = null;
  };

  return {
    latest: () => latest,
    refresh,
    subscribe(told) {
      listeners.add(told);
      watch ??= watchPaced(rootIn(env), () => nextEnd(refresh()));
      watch.soon();
      return () => {
        listeners.delete(told);
        if (listeners.size === 0) stop();
      };
    },
    close: stop,
  };
}

/** When the first snooze runs out, epoch ms. */
function nextEnd({ switches, at }: Overview): number | null {
  const ends = switches.flatMap(({ until }) => (until !== null && until > at ? [until] : []));
  return ends.length === 0 ? null : Math.min(...ends);
}

function rootIn(env: Surroundings['env']): string | null {
  try {
    return stateRoot(env).path;
  } catch {
    return null;
  }
}
