/**
 * One conversation in pi: its events go to the engine, and what the charts have decided goes to the next place where pi
 * puts text before the model. Which words, and whether any, the charts decide; here is only where and when.
 */
import {
  type AgentBeforeSettleEvent,
  type AgentSettledEvent,
  type BeforeAgentStartEvent,
  between,
  type Entry,
  goOn,
  isSpokenFor,
  type Message,
  note,
  type PiContext,
  parse,
  type SessionShutdownEvent,
  type SessionStartEvent,
  type ToolResultEvent,
  type TurnEndEvent,
} from '../../../adapters/harness/pi/index.ts';
import type { Answer } from '../../core/ports.ts';
import type { Engine } from '../../engine/engine.ts';

/** What pi is told at each of its events. All of them may throw what the engine throws: then nothing is to be said. */
export interface Conversation {
  /** A session begins or ends: there is nobody to talk to. */
  pass(event: SessionStartEvent | SessionShutdownEvent, ctx: PiContext): Promise<void>;
  startRun(event: BeforeAgentStartEvent, ctx: PiContext): Promise<{ message: Message } | undefined>;
  finishTool(event: ToolResultEvent, ctx: PiContext): Promise<void>;
  endTurn(event: TurnEndEvent): { entries: Entry[] } | undefined;
  settle(event: AgentBeforeSettleEvent, ctx: PiContext): Promise<{ entries: Entry[]; continue: true } | undefined>;
  settled(event: AgentSettledEvent, ctx: PiContext): Promise<void>;
}

/** @param engine the one that this conversation's facts go to */
export function createConversation(engine: Engine): Conversation {
  /** Decided on, and not said yet, because what pi told us of last has no place for text. */
  let untold: string[] = [];
  /** Decided on at the end of a run that went on by itself. It is for this run's end, and lapses with it. */
  let late: string[] = [];
  /** mu's own extension drives this run. */
  let isMusTurn = false;

  const tell = async (event: { type: string }, ctx: PiContext): Promise<Answer | null> => {
    const facts = parse(event);
    return facts.length === 0 ? null : await engine.handle(ctx.sessionManager.getSessionId(), facts);
  };
  const keep = (answer: Answer | null) => {
    if (answer !== null) untold.push(answer.text);
  };
  const takeUntold = () => {
    const text = untold.join('\n\n');
    untold = [];
    return text;
  };

  return {
    async pass(event, ctx) {
      keep(await tell(event, ctx));
    },

    async startRun(event, ctx) {
      if (event.messageType === 'user') isMusTurn = false;
      keep(await tell(event, ctx));
      const text = takeUntold();
      return text === '' ? undefined : { message: note(text) };
    },

    // Not in the tool's own result: that may go to a script, and other extensions may replace it.
    async finishTool(event, ctx) {
      keep(await tell(event, ctx));
    },

    endTurn({ outcome, toolResults, entries }) {
      // After the last turn of a run nobody would read it, and a print run would print nothing.
      if (outcome !== 'completed' || toolResults.length === 0) return undefined;
      const text = takeUntold();
      return text === '' ? undefined : between(entries, text);
    },

    /**
     * Whatever others have queued comes first: with something pending this isn't the end, and the charts don't hear of it.
     * They may have asked how much work there is, and somebody may have written meanwhile; then the words wait for the end
     * of what was written. They were decided on, so nobody says them twice.
     */
    async settle(event, ctx) {
      isMusTurn ||= isSpokenFor(event.entries);
      if (isMusTurn || (event.outcome === 'completed' && ctx.hasPendingMessages())) return undefined;
      const answer = await tell(event, ctx);
      if (answer?.continue === true) late.push(answer.text);
      else keep(answer);
      if (late.length === 0 || event.outcome !== 'completed' || ctx.hasPendingMessages()) return undefined;
      const text = late.join('\n\n');
      late = [];
      return goOn(event.entries, text);
    },

    async settled(event, ctx) {
      late = [];
      keep(await tell(event, ctx));
    },
  };
}
