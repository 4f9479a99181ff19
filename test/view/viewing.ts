/** A live view over a scene, and somebody who looks at it with nothing but HTTP. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Pictures } from '../../src/commands/view/charts.ts';
import { startServer, type ViewServer } from '../../src/commands/view/server.ts';
import type { Decisions, Overview, SwitchRequest } from '../../src/view/live.ts';
import { tempDir } from '../support/temp-dir.ts';

const pictures: Pictures = { style: '.chart {}', draw: ({ id }) => `<svg data-id="${id}"/>` };

/** A page of three short files. */
function pageFolder(): string {
  const folder = tempDir();
  const files = { 'index.html': '<!doctype html>', 'view.js': 'page', 'view.css': 'page {}', 'secret.txt': 'secret' };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

export interface Viewing extends ViewServer {
  readonly port: number;
  readonly token: string;
}

/** Where a view is. */
export interface Viewed {
  readonly url: string;
}

export async function openView(env: Record<string, string>, page = pageFolder()): Promise<Viewing> {
  const server = await startServer({ env, port: 0, pictures, page });
  onTestFinished(() => server.close());
  const { port, pathname } = new URL(server.url);
  return { ...server, port: Number(port), token: pathname.split('/')[1] ?? '' };
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Request {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A request with exactly this target and these headers, which `fetch` would put right. */
export async function ask(port: number, target: string, { method = 'GET', headers = {}, body }: Request = {}) {
  return await new Promise<Answer>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path: target, method, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.end(body);
  });
}

/** What the page does when somebody presses a switch. */
export async function press({ url }: Viewed, body: Partial<SwitchRequest> | string, more: Record<string, string> = {}) {
  const { port, origin, pathname } = new URL(url);
  return await ask(Number(port), `${pathname}switch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export type Told =
  | { readonly type: 'overview'; readonly data: Overview }
  | { readonly type: 'decisions'; readonly data: Decisions };

export interface Listener {
  /** Everything that has come so far. */
  readonly told: readonly Told[];
  /** The first overview, among those that have come or will, of which this holds. */
  overview(holds?: (overview: Overview) => boolean): Promise<Overview>;
  /** All decisions so far, once this holds of them. */
  decisions(holds: (all: Decisions['decisions']) => boolean): Promise<Decisions['decisions']>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** A page that stays open until the test's end. */
export async function listen({ url }: Viewed, session?: string): Promise<Listener> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
  const response = await fetch(`${url}live${query}`, { signal: leaving.signal });
  if (response.status !== 200 || response.body === null) throw new Error(`no stream: ${response.status}`);
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const ended = read(response.body, (one) => {
    told.push(one);
    for (const look of [...waiting]) look();
  });

  const until = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  return {
    told,
    ended,
    leave: () => leaving.abort(),
    overview: (holds = () => true) =>
      until(() => told.flatMap((one) => (one.type === 'overview' && holds(one.data) ? [one.data] : []))[0]),
    decisions: (holds) =>
      until(() => {
        const all = told.flatMap((one) => (one.type === 'decisions' ? one.data.decisions : []));
        return holds(all) ? all : undefined;
      }),
  };
}

async function read(body: ReadableStream<Uint8Array>, tell: (one: Told) => void): Promise<void> {
  let rest = '';
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, json] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (type !== undefined && json !== undefined) tell({ type, data: JSON.parse(json) } as Told);
      }
    }
  } catch {
    // The connection is gone.
  }
}
