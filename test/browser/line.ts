/** A line between page and server that can be cut and mended: a proxy that passes for the server itself. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { View } from './view.ts';

export interface Line {
  /** The page's address through it. */
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function lineTo({ port, token }: View): Promise<Line> {
  const host = `127.0.0.1:${port}`;
  const proxy = http.createServer((request, response) => {
    const { method, url: path, headers } = request;
    const origin = headers.origin === undefined ? {} : { origin: `http://${host}` };
    const passed = http.request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host, ...origin } });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  const listen = (at: number) => new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  const cut = () =>
    new Promise<void>((resolve) => {
      proxy.close(() => resolve());
      proxy.closeAllConnections();
    });
  onTestFinished(cut);
  await listen(0);
  const { port: ours } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${ours}/${token}/`, cut, mend: () => listen(ours) };
}
