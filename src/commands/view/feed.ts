/** The decisions of one session in pieces, as fast as somebody takes them: the rest stays where it is, on disk. */
import path from 'node:path';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { type Tail, tailTrace } from '../../../adapters/store/follow-trace.ts';
import { putAside } from '../../../adapters/store/read-trace.ts';
import type { TraceLine } from '../../core/ports.ts';
import type { Decisions } from '../../view/live.ts';
import { decisionOf } from './decision.ts';

/** Decisions in a piece. */
const MOST = 200;
const MOST_ATTEMPTS = 5;

export interface Feed {
  /** The next piece; null when there is nothing new. The first comes in any case. Never throws. */
  next(now: number): Decisions | null;
  close(): void;
}

/** @param key the name of the session's folder @param folder needn't be there yet */
export function openFeed(key: string, folder: string): Feed {
  let tail: Tail | null = null;
  let waiting: readonly TraceLine[] = [];
  let skipped = 0;
  let sent = 0;

  /** @returns whether it was the first time */
  const fill = (): boolean => {
    const isFirst = tail === null;
    const started = tail === null ? start(folder) : { tail, ...tail.next() };
    tail = started.tail;
    waiting = started.lines;
    skipped += started.skipped;
    return isFirst;
  };

  return {
    next(now) {
      const fresh = waiting.length === 0 && fill();
      if (waiting.length === 0 && skipped === 0 && !fresh) return null;
      const lines = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      const decisions = lines.map((line, index) => decisionOf(line, sent + index, now));
      const piece = { session: key, fresh, more: waiting.length > 0, decisions, skipped };
      sent += lines.length;
      skipped = 0;
      return piece;
    },
    close() {
      tail?.close();
      tail = null;
      waiting = [];
    },
  };
}

/** What is there already. Read again when the file was put aside meanwhile: no line is lost, and none comes twice. */
function start(folder: string): { tail: Tail; lines: TraceLine[]; skipped: number } {
  for (let attempt = 1; ; attempt += 1) {
    const before = asideStamp(folder);
    const older = putAside(folder, nodeFiles);
    const tail = tailTrace(folder);
    const now = tail.next();
    if (before === asideStamp(folder) || attempt === MOST_ATTEMPTS) {
      return { tail, lines: [...older.lines, ...now.lines], skipped: older.skipped + now.skipped };
    }
    tail.close();
  }
}

function asideStamp(folder: string): string {
  try {
    const info = nodeFiles.info(path.join(folder, 'trace.1.jsonl'));
    return info === null ? '' : `${info.size} ${info.changedAt}`;
  } catch {
    return '';
  }
}
