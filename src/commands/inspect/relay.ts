/**
 * The relay of `nudgechart inspect`: a page and a WebSocket on 127.0.0.1. The library has one too; it listens on every
 * network of this machine, lets any page in, and passes on what a client says to all others, so it isn't used.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawToken } from '../loopback.ts';
import { bridgePage } from './bridge-page.ts';
import { refusal } from './gate.ts';
import type { Library } from './library.ts';

/** So many listen at once, and so many connections there are for it, also of those who have no token. */
const [MOST, MOST_CONNECTIONS] = [16, 64];
/** For a request to come in whole; and how often Node looks. */
const PATIENCE = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 };
/** Who has so many bytes still to take has stopped listening. */
const BEHIND = 16 * 1024 * 1024;
/** Nobody has anything to say to us. */
const LONGEST_HEARD = 1024;
/** How long listeners have to hang up when it ends. */
const GOODBYE_MS = 300;
const GOING_AWAY = 1001;

export interface Relay {
  /** Of the page; the WebSocket has the same address, with `ws:`. */
  readonly url: string;
  /** To all who listen. */
  send(message: string): void;
  close(): Promise<void>;
}

/**
 * @param greeting what somebody who begins to listen is told first
 * @throws Node's error when it can't listen
 */
export async function openRelay(
  { WebSocketServer }: Pick<Library, 'WebSocketServer'>,
  greeting: () => readonly string[],
): Promise<Relay> {
  const token = drawToken();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_HEARD });
  const server = http.createServer(PATIENCE, (request, response) => {
    const status = refusal(request, { port, token });
    if (status !== null) return void response.writeHead(status).end();
    const page = bridgePage(port, randomBytes(16).toString('base64'));
    response.writeHead(200, page.headers).end(page.text);
  });

  server.maxConnections = MOST_CONNECTIONS;

  server.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const status = refusal(request, { port, token }) ?? (sockets.clients.size >= MOST ? 503 : null);
    if (status !== null) {
      return void socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      for (const message of greeting()) client.send(message);
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    send(message) {
      for (const client of sockets.clients) {
        if (client.bufferedAmount > BEHIND) client.terminate();
        else if (client.readyState === client.OPEN) client.send(message);
      }
    },
    async close() {
      const gone = [...sockets.clients].map((client) => new Promise((resolve) => client.once('close', resolve)));
      for (const client of sockets.clients) client.close(GOING_AWAY);
      server.close();
      server.closeAllConnections();
      await Promise.race([Promise.all(gone), sleep(GOODBYE_MS, undefined, { ref: false })]);
      for (const client of sockets.clients) client.terminate();
    },
  };
}
