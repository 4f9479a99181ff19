/** Our text in the places where pi puts text before the model. There the model reads it once, word by word. */
import type { Entry, Message, MessageEntry } from './api.ts';

/** Under this name pi shows what lets a turn go on. */
const KEEP_DRIVING = 'nudgechart-keep-driving';
/** Under this name pi shows everything else that we say. */
const NOTE = 'nudgechart-note';

/** A message of its own: beside the prompt that begins a run, or as the one that begins it. */
export function note(text: string): Message {
  return { customType: NOTE, content: text, display: true };
}

/** At a boundary inside a run: behind the tools' results and what others have put there, before the next request. */
export function between(earlier: readonly Entry[], text: string): { entries: Entry[] } {
  return { entries: [...earlier, asEntry(note(text))] };
}

/** At the end of a run: behind what others have put there, and the run goes on. */
export function goOn(earlier: readonly Entry[], text: string): { entries: Entry[]; continue: true } {
  return { entries: [...earlier, asEntry({ ...note(text), customType: KEEP_DRIVING })], continue: true };
}

function asEntry(message: Message): MessageEntry {
  return { type: 'custom_message', ...message };
}

/** Whether mu's own extension is among those who have put something there. */
export function isSpokenFor(earlier: readonly Entry[]): boolean {
  return earlier.some(({ customType }) => typeof customType === 'string' && customType.startsWith('mu-'));
}
