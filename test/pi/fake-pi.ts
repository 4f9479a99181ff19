/** pi 1.6.0 as far as it calls extensions, and what they may say to it. The end-to-end tests hold it against the real one. */
import type {
  AgentBeforeSettleEvent,
  Entry,
  Message,
  PiApi,
  PiContext,
  SessionStartEvent,
  ToolResultEvent,
  TurnEndEvent,
} from '../../adapters/harness/pi/index.ts';

type Outcome = AgentBeforeSettleEvent['outcome'];
type Registered = (event: unknown, ctx: PiContext) => unknown;
type Server = Parameters<PiApi['registerMcpServer']>[1];

/** What pi would put before the model, and whether it would go on. */
export interface Proposal {
  readonly entries: readonly Entry[];
  readonly continue: boolean;
}

export interface FakePi {
  /** For one extension. Extensions are called in the order in which they asked for it. */
  readonly api: PiApi;
  readonly ctx: PiContext & { idle: boolean; pending: boolean };
  /** What pi would report as `Extension error`. */
  readonly errors: unknown[];
  readonly sent: [Message, { triggerTurn?: boolean } | undefined][];
  readonly servers: Map<string, Server>;
  readonly sections: Record<string, string>;
  begin(reason?: SessionStartEvent['reason']): Promise<void>;
  end(reason?: string): Promise<void>;
  /** @returns the text that stands beside the prompt, empty for none */
  prompt(messageType?: 'user' | 'custom'): Promise<string>;
  tool(toolName: string, more?: Partial<Pick<ToolResultEvent, 'input' | 'isError'>>): Promise<void>;
  /** @param earlier what other extensions have proposed before ours is called */
  endTurn(more?: Partial<Pick<TurnEndEvent, 'toolResults' | 'outcome' | 'entries'>>): Promise<Proposal>;
  settle(outcome?: Outcome, earlier?: readonly Entry[]): Promise<Proposal>;
  settled(aborted?: boolean): Promise<void>;
}

export interface FakePiOptions {
  readonly hasUI?: boolean;
  readonly session?: string;
  readonly cwd?: string;
  readonly commands?: readonly string[];
}

export function createPi(options: FakePiOptions = {}): FakePi {
  const { hasUI = true, session = 'session-in-pi', cwd = '/w', commands = ['llama', 'mcp'] } = options;
  const handlers: [name: string, handler: Registered][] = [];
  const errors: unknown[] = [];
  const sent: FakePi['sent'] = [];
  const servers = new Map<string, Server>();
  const sections: Record<string, string> = {};
  const ctx = {
    hasUI,
    cwd,
    sessionManager: { getSessionId: () => session },
    idle: true,
    pending: false,
    isIdle: () => ctx.idle,
    hasPendingMessages: () => ctx.pending,
  };
  const api: PiApi = {
    on: (name: string, handler: unknown) => void handlers.push([name, handler as Registered]),
    sendMessage: (message, how) => void sent.push([message, how]),
    registerMcpServer: (name, config) => void servers.set(name, config),
    getCommands: () => commands.map((name) => ({ name })),
  };

  /** Every handler in turn; `after` makes the event that the next one sees. */
  async function emit<T extends { type: string }>(first: T, after: (event: T, result: object) => T): Promise<T> {
    let event = first;
    for (const [name, handler] of handlers) {
      if (name !== event.type) continue;
      try {
        const result = await handler(event, ctx);
        if (typeof result === 'object' && result !== null) event = after(event, result);
      } catch (error) {
        errors.push(error);
      }
    }
    return event;
  }
  const told = (event: { type: string }) => emit(event, (same) => same);
  const boundary = async (event: Proposal & { type: string }): Promise<Proposal> => {
    // A returned field replaces the proposal, a missing one keeps it.
    const proposed = await emit(event, (before, result) => ({ ...before, ...result }));
    return { entries: proposed.entries, continue: proposed.continue };
  };

  return {
    api,
    ctx,
    errors,
    sent,
    servers,
    sections,
    begin: async (reason = 'startup') => void (await told({ type: 'session_start', reason } as { type: string })),
    end: async (reason = 'quit') => void (await told({ type: 'session_shutdown', reason } as { type: string })),
    async prompt(messageType = 'user') {
      ctx.idle = false;
      const texts: string[] = [];
      const event = { type: 'before_agent_start', messageType, systemPromptOptions: { sections } };
      await emit(event, (same, result) => {
        const { message } = result as { message?: Message };
        if (message !== undefined) texts.push(message.content);
        return same;
      });
      return texts.join('\n\n');
    },
    async tool(toolName, { input = {}, isError = false } = {}) {
      await told({ type: 'tool_result', toolName, input, isError, toolCallId: 'c-1', content: [] } as { type: string });
    },
    endTurn: ({ toolResults = [{}], outcome = 'completed', entries = [] } = {}) =>
      boundary({ type: 'turn_end', outcome, toolResults, entries, continue: false } as Proposal & { type: string }),
    settle: (outcome = 'completed', entries = []) =>
      boundary({
        type: 'agent_before_settle',
        outcome,
        entries,
        continue: entries.length > 0,
      } as Proposal & { type: string }),
    async settled(aborted = false) {
      ctx.idle = true;
      await told({ type: 'agent_settled', aborted } as { type: string });
    },
  };
}

/** The texts of these entries, in order. */
export function textsOf({ entries }: Proposal): string[] {
  return entries.map((entry) => String((entry as { content?: unknown }).content));
}
