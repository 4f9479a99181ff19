// The model: a chat-completions server on loopback that answers by a script and keeps what it was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model does when it is asked. */
export interface Reply {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** Instead of an answer. */
  readonly failure?: { readonly status: number };
}

/** A reply, or what makes one: then something can be done outside first. */
export type Turn = Reply | ((request: ModelRequest) => Reply | Promise<Reply>);

interface Shown {
  readonly role: string;
  readonly text: string;
}

export interface ModelRequest {
  /** The conversation without the system prompt. */
  readonly messages: readonly Shown[];
  readonly system: string;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
}

export interface Model {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

const PAST_THE_END: Reply = { text: '(the script is over)' };

export async function startModel(script: readonly Turn[]): Promise<Model> {
  const requests: ModelRequest[] = [];
  const server = createServer((incoming, response) => void answer(incoming, response));

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = read(JSON.parse(await bodyOf(incoming)));
    const turn = script[requests.length] ?? PAST_THE_END;
    requests.push(request);
    const reply = typeof turn === 'function' ? await turn(request) : turn;
    if (reply.failure) {
      response.writeHead(reply.failure.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'as the script says', type: 'scripted' } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(reply, requests.length)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of incoming.setEncoding('utf8')) body += part;
  return body;
}

interface Body {
  readonly messages: readonly { role: string; content: string | { text?: string }[] | null }[];
  readonly tools?: readonly { function: { name: string } }[];
}

function read({ messages, tools = [] }: Body): ModelRequest {
  const shown = messages.map(({ role, content }) => ({
    role,
    text: typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
  }));
  return {
    messages: shown.filter(({ role }) => role !== 'system'),
    system: shown.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n'),
    tools: tools.map((tool) => tool.function.name),
  };
}

function* chunksOf({ text = '', calls = [] }: Reply, n: number) {
  const chunk = (choices: unknown[], more = {}) => ({
    id: `answer-${n}`,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'scripted',
    choices,
    ...more,
  });
  const delta = (part: unknown, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta: part, finish_reason }]);
  yield delta({ role: 'assistant', content: text });
  for (const [index, { name, args }] of calls.entries()) {
    const call = { index, id: `call-${n}-${index}`, type: 'function' };
    yield delta({ tool_calls: [{ ...call, function: { name, arguments: JSON.stringify(args) } }] });
  }
  yield delta({}, calls.length > 0 ? 'tool_calls' : 'stop');
  yield chunk([], { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
}
