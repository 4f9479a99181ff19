/** `nudgechart status --watch`: the same, drawn anew as it changes. Changes nothing on disk. */
import { stateRoot } from '../../../adapters/store/root.ts';
import { moment } from '../moment.ts';
import { watchState } from '../state-watch.ts';
import type { Surroundings } from '../surroundings.ts';
import { createDecisions } from './decisions.ts';
import { contentOf, documentOf } from './document.ts';
import { decisionLines, frame } from './frame.ts';
import { createGlance, type Glance, type Wish } from './glance.ts';
import { coloured } from './line.ts';
import type { Screen } from './terminal.ts';
import { blocksOf } from './text.ts';

export interface Watching {
  readonly wish: Wish;
  readonly json: boolean;
  /** What there is now: its clock is asked anew each time. */
  readonly here: () => Surroundings;
  readonly screen: Screen;
  /** Ends it. */
  readonly over: AbortController;
}

/** What runs down is drawn anew. */
const SECOND_MS = 1000;
/** So many decisions are remembered as told: more than are looked at in one go. */
const MOST_TOLD = 1000;

/**
 * In a terminal one picture that is kept up to date; elsewhere a block of lines, or with `json` a document a line, whenever
 * something has changed. Resolves when it is ended.
 * @throws NudgechartError when there is nothing to look at from the beginning, as `status` does
 */
export async function watchStatus({ wish, json, here, screen, over }: Watching): Promise<void> {
  const { env } = here();
  const look = createGlance(wish, env);
  const decided = createDecisions();
  const show = json ? jsonShow() : screen.isLive ? liveShow(screen) : plainShow();
  let glance = look(here());
  let problem: string | null = null;

  const draw = () => {
    const decisions = decided(glance);
    show({ glance, decisions, problem, here: here() });
  };
  const lookAgain = () => {
    try {
      glance = look(here());
      problem = null;
    } catch (error) {
      problem = `it can’t be read now: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  /** What goes wrong ends it, and is told when the screen has been given back. */
  const faults: unknown[] = [];
  const guarded = (act: () => void) => () => {
    try {
      if (!over.signal.aborted) act();
    } catch (error) {
      faults.push(error);
      over.abort();
    }
  };
  const redraw = guarded(draw);
  const changed = guarded(() => {
    lookAgain();
    draw();
  });

  if (!json && screen.isLive) screen.enter({ quit: () => over.abort(), resized: redraw });
  const unwatch = watchState(stateRoot(env).path, changed);
  const second = setInterval(redraw, SECOND_MS);
  try {
    redraw();
    await aborted(over.signal);
  } finally {
    clearInterval(second);
    unwatch();
    screen.leave();
  }
  if (faults.length > 0) throw faults[0];
}

interface Sight {
  readonly glance: Glance;
  readonly decisions: ReturnType<ReturnType<typeof createDecisions>>;
  readonly problem: string | null;
  readonly here: Surroundings;
}

type Show = (sight: Sight) => void;

function liveShow(screen: Screen): Show {
  return ({ glance, decisions, problem, here }) => {
    const size = screen.size();
    const blocks = blocksOf(glance, { ...here, columns: size.columns });
    const severalSessions = glance.sessions.length > 1;
    const lines = frame({ blocks, decisions, severalSessions, problem }, here.now, size);
    screen.draw(lines.map((line) => (screen.hasColours ? coloured(line) : line.text)));
  };
}

/** A block whenever something has changed, with what was decided since the one before. */
function plainShow(): Show {
  const isNew = changes();
  let told: ReadonlySet<string> = new Set();
  return ({ glance, decisions, problem, here }) => {
    const { now, out } = here;
    const latest = decisions.filter(({ json }) => !told.has(json));
    // Asked in any case: what it has seen is what the next look is held against.
    const hasChanged = isNew(contentOf(glance, now) + problem);
    if (!hasChanged && latest.length === 0) return;
    told = new Set([...told, ...latest.map(({ json }) => json)].slice(-MOST_TOLD));
    const { settings, charts, others } = blocksOf(glance, here);
    const blocks = [settings, charts, ...others, decisionLines(latest, glance.sessions.length > 1, now)];
    const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.map(({ text }) => text).join('\n'));
    out([`at ${moment(now, now)}`, ...(problem === null ? [] : [problem]), ...shown, ''].join('\n\n').trimEnd());
    out('');
  };
}

function jsonShow(): Show {
  const isNew = changes();
  return ({ glance, here: { now, out } }) => {
    if (isNew(contentOf(glance, now))) out(JSON.stringify(documentOf(glance, now)));
  };
}

function changes(): (content: string) => boolean {
  let before: string | null = null;
  return (content) => {
    const isNew = content !== before;
    before = content;
    return isNew;
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
