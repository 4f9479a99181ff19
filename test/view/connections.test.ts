/** Connections that ask for more than one thing, for nothing, or half: none keeps a place, and none keeps the view. */
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openScene } from '../commands/scene.ts';
import { ask, listen, openView, type Viewing } from './viewing.ts';

/** A connection over which this was sent; `heard` is what came back so far. */
async function connected({ port }: Viewing, text: string) {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const gone = new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));
  const connection = { socket, gone, heard: '' };
  socket.setEncoding('utf8').on('data', (piece: string) => {
    connection.heard += piece;
  });
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return connection;
}

const get = ({ port, token }: Viewing, place: string) =>
  `GET /${token}/${place} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

it('streams that were asked for behind another one are over when the connection is', async () => {
  const view = await openView(openScene().env);
  for (let n = 0; n < 12; n += 1) {
    const one = await connected(view, get(view, 'live').repeat(4));
    await expect.poll(() => one.heard).toContain('event: overview');
    one.socket.destroy();
    await one.gone;
  }
  const pages = await Promise.all(Array.from({ length: 16 }, () => listen(view)));
  expect(pages).toHaveLength(16);
});

it('answers that wait behind a stream don’t keep the view from closing', async () => {
  const view = await openView(openScene().env);
  const one = await connected(view, get(view, 'live').repeat(4) + get(view, ''));
  await expect.poll(() => one.heard).toContain('event: overview');
  await view.close();
  await one.gone;
  expect(one.heard.split('HTTP/1.1 200')).toHaveLength(2);
});

it('all places taken by those who send nothing or half a request are free again after some seconds', {
  timeout: 28_000,
}, async () => {
  const view = await openView(openScene().env);
  const idle = await Promise.all(
    Array.from({ length: 64 }, (_, n) => connected(view, n % 2 === 0 ? '\r\n' : `GET /${view.token}/ HTTP/1.1\r\n`)),
  );
  await Promise.all(idle.map(({ gone }) => gone));
  expect((await ask(view.port, `/${view.token}/`)).status).toBe(200);
});

it('whoever expects something of us gets nothing, in the same way', async () => {
  const view = await openView(openScene().env);
  const { status, headers, text } = await ask(view.port, '/', { headers: { Expect: 'something' } });
  expect([status, text, headers['content-security-policy']]).toEqual([417, '', expect.stringContaining('none')]);
});
