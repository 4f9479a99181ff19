/** Between pi's events and a conversation: what is listened to, and that nothing that goes wrong is ever heard of. */
import { note, type PiApi, type PiContext } from '../../../adapters/harness/pi/index.ts';
import { type Env, stateRoot } from '../../../adapters/store/root.ts';
import { countFailure } from '../failure.ts';
import { isSwitchedOff } from '../switch.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { idleEngine, wholeEngine } from './engines.ts';
import { arrive, leave } from './presence.ts';
import { explainTools, offerTools } from './server.ts';
import { type Watch, watchMail } from './watch.ts';

/**
 * Listens to the session that begins. pi does this anew for every session, also within one process.
 *
 * A pi that an agent has started in its shell is that agent's errand and no conversation of its own: there we do nothing at
 * all. Switched off, we say nothing, but the tools for writing to other sessions stay.
 *
 * No handler throws: pi would tell the user.
 */
export function extendPi(pi: PiApi, env: Env): void {
  if ((env['PI_SESSION_ID'] ?? '') !== '') return;
  const safely = quietly((error) => countFailure(env, error));
  joinIn(pi, env, safely);
  if (!isSwitchedOff(env)) converse(pi, env, safely);
}

type Handler<Event, Result> = (event: Event, ctx: PiContext) => Promise<Result | undefined>;
type Safely = <Event, Result>(
  handle: (event: Event, ctx: PiContext) => Result | Promise<Result>,
) => Handler<Event, Result>;

function quietly(failed: (error: unknown) => void): Safely {
  return (handle) => async (event, ctx) => {
    try {
      return await handle(event, ctx);
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
}

/** The session takes part in the exchange of mail: others can find it, and the model has the tools. */
function joinIn(pi: PiApi, env: Env, safely: Safely): void {
  let hasTools = false;
  pi.on(
    'session_start',
    safely((_event, ctx) => arrive(env, ctx.sessionManager.getSessionId(), isWoken(env, ctx))),
  );
  pi.on(
    'session_start',
    safely((_event, ctx) => {
      hasTools = offerTools(pi, ctx);
    }),
  );
  pi.on(
    'before_agent_start',
    safely(({ systemPromptOptions }) => {
      if (hasTools) explainTools(systemPromptOptions);
    }),
  );
  pi.on(
    'session_shutdown',
    safely((_event, ctx) => leave(env, ctx.sessionManager.getSessionId())),
  );
}

/** The charts hear what happens, and the model hears what they say. */
function converse(pi: PiApi, env: Env, safely: Safely): void {
  let watching: Watch | null = null;
  let conversation: Conversation | undefined;
  const talk = ({ hasUI }: PiContext): Conversation => {
    conversation ??= createConversation(wholeEngine(env, hasUI, () => watching?.isOn() === true));
    return conversation;
  };
  pi.on(
    'session_start',
    safely((event, ctx) => {
      watching = watch(pi, env, ctx);
      return talk(ctx).pass(event, ctx);
    }),
  );
  pi.on(
    'session_shutdown',
    safely((event, ctx) => {
      watching?.stop();
      return talk(ctx).pass(event, ctx);
    }),
  );
  pi.on(
    'before_agent_start',
    safely((event, ctx) => talk(ctx).startRun(event, ctx)),
  );
  pi.on(
    'tool_result',
    safely((event, ctx) => talk(ctx).finishTool(event, ctx)),
  );
  pi.on(
    'turn_end',
    safely((event, ctx) => talk(ctx).endTurn(event)),
  );
  pi.on(
    'agent_before_settle',
    safely((event, ctx) => talk(ctx).settle(event, ctx)),
  );
  pi.on(
    'agent_settled',
    safely((event, ctx) => talk(ctx).settled(event, ctx)),
  );
}

/** A run without a person at it ends when its turn ends. Switched off, we wake nobody. */
function isWoken(env: Env, { hasUI }: PiContext): boolean {
  return hasUI && env['NUDGECHART_WAIT'] !== '0' && !isSwitchedOff(env);
}

/** Null where nobody would be woken. */
function watch(pi: PiApi, env: Env, ctx: PiContext): Watch | null {
  if (!isWoken(env, ctx)) return null;
  return watchMail({
    root: stateRoot(env).path,
    session: ctx.sessionManager.getSessionId(),
    engine: idleEngine(env),
    isIdle: () => ctx.isIdle() && !ctx.hasPendingMessages(),
    wake: ({ text }) => pi.sendMessage(note(text), { triggerTurn: true }),
    failed: (error) => countFailure(env, error),
  });
}
