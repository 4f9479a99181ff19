/** The server of the live view: on the loopback address only, for whoever has the token. */
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { codeOf, nodeFiles } from '../../../adapters/store/files.ts';
import { stateRoot } from '../../../adapters/store/root.ts';
import { NudgechartError } from '../../core/errors.ts';
import { drawToken } from '../loopback.ts';
import type { Surroundings } from '../surroundings.ts';
import { Refused, send, sendBare, sendFault, sendJson } from './answer.ts';
import { jsonIn } from './body.ts';
import { createCharts, type Pictures } from './charts.ts';
import { openFeed } from './feed.ts';
import { HEADERS, type Passed, pass } from './gate.ts';
import { createHub } from './hub.ts';
import { pageFile } from './page.ts';
import { openStream, type Stream } from './stream.ts';
import { performSwitch } from './switching.ts';

const LOOPBACK = '127.0.0.1';
/** Two browsers with all the connections that each of them may have, and some. */
const MOST_STREAMS = 16;
const MOST_CONNECTIONS = 64;
/** For a request to come in whole; and how often Node looks whether one has taken longer. */
const [REQUEST_MS, LOOK_MS] = [10_000, 1000];

export interface ViewServer {
  /** Where the page is, with the token. */
  readonly url: string;
  /** Ends all streams and connections, and looks at nothing any more. */
  close(): Promise<void>;
}

export interface ViewParts {
  readonly env: Surroundings['env'];
  /** 0: any that is free. */
  readonly port: number;
  readonly pictures: Pictures;
  /** Where the page's files are; not given: where they were built. */
  readonly page?: string;
}

/** @throws NudgechartError `ARGUMENT_INVALID` when the port is taken or not to be had */
export async function startServer({ env, port: wanted, pictures, page }: ViewParts): Promise<ViewServer> {
  const token = drawToken();
  const hub = createHub({ env });
  const chartOf = createCharts(env, pictures);
  const streams = new Map<Stream, net.Socket>();

  const stream = (request: http.IncomingMessage, response: http.ServerResponse, { query }: Passed) => {
    const key = query.get('session');
    const folder = key === null ? null : folderOf(key, env);
    if (streams.size >= MOST_STREAMS) throw new Refused(503, 'too many pages are open', 'close some of them');
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' });
    if (request.method === 'HEAD') return void response.end();
    const feed = key === null || folder === null ? null : openFeed(key, folder);
    const one: Stream = openStream(response, hub, feed, () => streams.delete(one));
    streams.set(one, request.socket);
  };

  const endStreams = (isMeant: (socket: net.Socket) => boolean) => {
    for (const [one, socket] of streams) if (isMeant(socket)) one.end();
  };

  const change = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const here = { env, cwd: null, now: Date.now(), columns: null, out: () => {} };
    performSwitch(await jsonIn(request), here);
    sendJson(response, 200, hub.refresh());
  };

  const answer = async (request: http.IncomingMessage, response: http.ServerResponse, passed: Passed) => {
    const { place, query } = passed;
    if (place === 'live') return stream(request, response, passed);
    if (place === 'switch') return change(request, response);
    if (place === 'chart') return send(response, 200, 'image/svg+xml', chartOf(query.get('policy') ?? ''));
    const file = pageFile(place, pictures.style, page);
    if (file === null) return sendBare(response, 404);
    send(response, 200, file.type, file.text);
  };

  const server = http.createServer({ connectionsCheckingInterval: LOOK_MS }, (request, response) => {
    const { method = '', url: target = '', headers } = request;
    const passed = pass({ method, target, headers }, { port: portOf(server), token });
    if (passed === 308) return sendBare(response, passed, { Location: `/${token}/` });
    if (typeof passed === 'number') return sendBare(response, passed, { Connection: 'close' });
    answer(request, response, passed).catch((error: unknown) => sendFault(response, error));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('checkExpectation', (_request, response) => sendBare(response, 417, { Connection: 'close' }));
  server.on('connection', (socket) => socket.once('close', () => endStreams((its) => its === socket)));
  await listening(server, wanted);

  return {
    url: `http://${LOOPBACK}:${portOf(server)}/${token}/`,
    close() {
      endStreams(() => true);
      hub.close();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function portOf(server: http.Server): number {
  return (server.address() as net.AddressInfo | null)?.port ?? 0;
}

async function listening(server: http.Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unheard(error, port)));
    server.listen({ host: LOOPBACK, port }, resolve);
  });
}

function unheard(error: Error, port: number): Error {
  const isTaken = codeOf(error) === 'EADDRINUSE';
  if (!isTaken && codeOf(error) !== 'EACCES') return error;
  return new NudgechartError(
    'ARGUMENT_INVALID',
    `port ${port} ${isTaken ? 'is taken by another program' : 'may not be used by you'}`,
    'give another one, or leave --port out: then any free one is taken',
    error,
  );
}

/** Names that the store gives, and whatever lies beside them. @throws Refused */
function folderOf(key: string, env: Surroundings['env']): string {
  const sessions = path.join(stateRoot(env).path, 'sessions');
  const isKey = /^(_[0-9a-f]{32}|[a-z0-9][a-z0-9-]{7,63})$/.test(key);
  if (isKey || (nodeFiles.info(sessions)?.kind === 'folder' && nodeFiles.list(sessions).includes(key))) {
    return path.join(sessions, key);
  }
  throw new Refused(404, 'no session is called like that', 'look whether it is still listed');
}
