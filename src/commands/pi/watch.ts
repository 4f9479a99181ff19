/** Mail for a session that stands still: pi has no hook that waits, so we look now and then. */
import { mailboxOf } from '../../../adapters/mail/local/mailbox.ts';
import { nodeFiles } from '../../../adapters/store/files.ts';
import type { Fact } from '../../core/events.ts';
import type { Answer } from '../../core/ports.ts';
import type { Engine } from '../../engine/engine.ts';

const LOOK_MS = 2000;
/** So many errors in a row end it: one may be a busy moment. */
const MOST_ERRORS = 3;

/** A turn's end is where mail may be announced to a session that does nothing. */
const STANDS_STILL: Fact = { type: 'turn.ended', outcome: 'completed', continued: false, background: [] };

export interface Watched {
  readonly root: string;
  readonly session: string;
  readonly engine: Engine;
  readonly isIdle: () => boolean;
  /** Puts the announcement before the model and wakes it. */
  readonly wake: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
}

export interface Watch {
  /** Whether mail still wakes the session. */
  isOn(): boolean;
  stop(): void;
}

/**
 * Announces mail that comes while nothing runs. The inbox chart decides, as everywhere, so that wake and announcement are
 * one decision, made once. Keeps no process alive, and ends for good when it fails again and again: then mail is announced
 * at the next prompt.
 */
export function watchMail({ root, session, engine, isIdle, wake, failed }: Watched): Watch {
  const box = mailboxOf(root, session, nodeFiles);
  let known = '';
  let [errors, isOn] = [0, true];
  const stop = () => {
    clearInterval(timer);
    isOn = false;
  };
  const look = async () => {
    try {
      if (!isIdle()) return;
      const lying = box
        .entries()
        .map(({ name }) => name)
        .join('\n');
      // Only what has changed is decided about: announced mail may lie there for hours.
      if (lying === known) return;
      known = lying;
      const answer = lying === '' ? null : await engine.handle(session, [STANDS_STILL]);
      if (answer !== null) wake(answer);
      errors = 0;
    } catch (error) {
      known = '';
      errors += 1;
      if (errors === MOST_ERRORS) stop();
      failed(error);
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return { isOn: () => isOn, stop };
}
