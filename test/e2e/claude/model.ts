// The model's part, scripted: as much of the Messages API as the CLI needs to hold a conversation.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Text {
  readonly type: 'text';
  readonly text: string;
}
export interface ToolUse {
  readonly type: 'tool_use';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}
export type Block = Text | ToolUse;

/** What the model answers; a function sees the request first, and may act or wait before it answers. */
export type Turn = readonly Block[] | ((request: ModelRequest) => readonly Block[] | Promise<readonly Block[]>);

export interface Script {
  readonly main: readonly Turn[];
  readonly subagent?: readonly Turn[];
  /** Beyond the script every request of the main agent is refused. */
  readonly refuses?: boolean;
}

export interface ModelRequest {
  /** `side`: the CLI asks for itself (a title, a summary); such a request offers no tools and uses up no turn. */
  readonly by: 'main' | 'subagent' | 'side';
  readonly session: string;
  /** Every text of the conversation that this request shows to the model, in order. */
  readonly texts: readonly string[];
}

export interface Model {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

interface MessagesBody {
  readonly model: string;
  readonly system?: unknown;
  readonly messages?: unknown;
  readonly tools?: readonly unknown[];
}

const UNSCRIPTED: readonly Block[] = [{ type: 'text', text: 'The script has no more turns.' }];

/** Listens on the Unix socket, if one is given, else on a loopback port. */
export async function startModel(script: Script, onRequest: () => void, socket?: string): Promise<Model> {
  const queues = { main: [...script.main], subagent: [...(script.subagent ?? [])], side: [] };
  const requests: ModelRequest[] = [];
  let count = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await read(request);
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const body = JSON.parse(raw) as MessagesBody;
    const session = String(request.headers['x-claude-code-session-id'] ?? '');
    const by = speaker(request, body);
    const scripted = queues[by].shift();
    if (scripted === undefined && by === 'main' && script.refuses === true) return refuse(response);
    const turn = scripted ?? UNSCRIPTED;
    const asked = { by, session, texts: [...texts(body.system), ...texts(body.messages)] };
    requests.push(asked);
    count += 1;
    const id = `fake${count}`;
    stream(response, body.model, id, typeof turn === 'function' ? await turn(asked) : turn);
    onRequest();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (socket === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(socket, resolve);
  });
  const port = socket === undefined ? (server.address() as AddressInfo).port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function refuse(response: ServerResponse): void {
  const error = { type: 'invalid_request_error', message: 'refused by the script' };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
}

function speaker(request: IncomingMessage, body: MessagesBody): ModelRequest['by'] {
  if (!body.tools?.length) return 'side';
  return 'x-claude-code-agent-id' in request.headers ? 'subagent' : 'main';
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

// Where the CLI puts a hook's words differs by model (a system message, a tool result, a reminder block): look everywhere.
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

function stream(response: ServerResponse, model: string, id: string, blocks: readonly Block[]): void {
  const send = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${id}` });
  send('message_start', {
    message: { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage },
  });
  blocks.forEach((block, index) => {
    const start =
      block.type === 'text'
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}x${index}`, name: block.name, input: {} };
    const delta =
      block.type === 'text'
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  const stopReason = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}
