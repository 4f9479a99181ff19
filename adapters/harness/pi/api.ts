/**
 * The part of pi's extension API that we use, in our own words: pi itself is too large to be a dependency for its types.
 * The end-to-end tests check it against the real package.
 */

/** Something to be put into the session at a boundary of a run. Other extensions' kinds are none of our business. */
export interface Entry {
  readonly type: string;
  readonly customType?: string;
}

/** A message that pi shows to the model as the user's, and to the user under its `customType`. */
export interface Message {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
}

export interface MessageEntry extends Message {
  readonly type: 'custom_message';
}

export interface SessionStartEvent {
  readonly type: 'session_start';
  readonly reason: 'startup' | 'reload' | 'new' | 'resume' | 'fork';
}

export interface SessionShutdownEvent {
  readonly type: 'session_shutdown';
  readonly reason: string;
}

/** `custom`: an extension's message began the run, not somebody who addressed the agent. */
export interface BeforeAgentStartEvent {
  readonly type: 'before_agent_start';
  readonly messageType: 'user' | 'custom';
  /** `sections` become parts of the system prompt, by the names of their tags. */
  readonly systemPromptOptions: { readonly sections: Record<string, string> };
}

export interface ToolResultEvent {
  readonly type: 'tool_result';
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly isError: boolean;
}

/** A boundary of a run. `entries` and `continue` are what earlier extensions propose; what we return takes their place. */
interface Boundary {
  readonly outcome: 'completed' | 'aborted' | 'error';
  readonly entries: readonly Entry[];
  readonly continue: boolean;
}

export interface TurnEndEvent extends Boundary {
  readonly type: 'turn_end';
  readonly toolResults: readonly unknown[];
}

export interface AgentBeforeSettleEvent extends Boundary {
  readonly type: 'agent_before_settle';
}

export interface AgentSettledEvent {
  readonly type: 'agent_settled';
  readonly aborted: boolean;
}

export interface PiContext {
  /** False in `-p` and `--mode json`, where nobody sits in front of it. */
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly sessionManager: { getSessionId(): string };
  isIdle(): boolean;
  /** Somebody has queued text into the running turn. */
  hasPendingMessages(): boolean;
}

type Handler<Event, Result = void> = (
  event: Event,
  ctx: PiContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: as pi has it.
) => Promise<Result | void> | Result | void;

export interface PiApi {
  on(event: 'session_start', handler: Handler<SessionStartEvent>): void;
  on(event: 'session_shutdown', handler: Handler<SessionShutdownEvent>): void;
  on(event: 'before_agent_start', handler: Handler<BeforeAgentStartEvent, { message?: Message }>): void;
  on(event: 'tool_result', handler: Handler<ToolResultEvent>): void;
  on(event: 'turn_end', handler: Handler<TurnEndEvent, { entries?: Entry[]; continue?: boolean }>): void;
  on(
    event: 'agent_before_settle',
    handler: Handler<AgentBeforeSettleEvent, { entries?: Entry[]; continue?: boolean }>,
  ): void;
  on(event: 'agent_settled', handler: Handler<AgentSettledEvent>): void;
  sendMessage(message: Message, options?: { triggerTurn?: boolean }): void;
  registerMcpServer(
    name: string,
    config: { command: string; args: string[]; env: Record<string, string>; cwd: string; exposure: 'direct' },
  ): void;
  getCommands(): readonly { readonly name: string }[];
}
