/** Who gets an answer from the live view, and what a stranger learns: nothing. */
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { openScene } from '../commands/scene.ts';
import { ask, openView, type Request, type Viewing } from './viewing.ts';

/** Every answer has these, and says nothing else of the server. */
const STRICT = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const open = () => openView(openScene().env);
const get = ({ port, token }: Viewing, place: string, request: Request = {}) =>
  ask(port, `/${token}/${place}`, request);
const headed = (headers: Record<string, string>): Request => ({ headers });

describe('the token', () => {
  it('is long, another one each time, and needed for everything', async () => {
    const [one, two] = [await open(), await open()];
    expect(one.token).toMatch(/^[\w-]{32}$/);
    expect(two.token).not.toBe(one.token);
    for (const place of ['', 'view.js', 'view.css', 'chart?policy=task', 'live', 'switch']) {
      for (const given of ['', two.token, one.token.slice(1), `${one.token}x`, one.token.toUpperCase(), '%00', '..']) {
        const answer = await ask(one.port, `/${given}/${place}`);
        expect([answer.status, answer.text], `${given} ${place}`).toEqual([404, '']);
        expect(answer.headers).toMatchObject(STRICT);
      }
    }
    expect(await ask(one.port, '/favicon.ico')).toMatchObject({ status: 404, text: '' });
    expect(await ask(one.port, `/?${one.token}`)).toMatchObject({ status: 404, text: '' });
  });

  it('without the slash behind it leads to the page', async () => {
    const { port, token } = await open();
    const answer = await ask(port, `/${token}`);
    expect([answer.status, answer.headers.location]).toEqual([308, `/${token}/`]);
  });
});

describe('a request', () => {
  it('to another host than the loopback address gets nothing: a foreign name may lead here', async () => {
    const view = await open();
    const { port } = view;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `localhost:${port}:80`,
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
      ' ',
    ]) {
      expect(await get(view, '', headed({ Host: host })), host).toMatchObject({ status: 403, text: '' });
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect((await get(view, '', headed({ Host: host }))).status, host).toBe(200);
    }
  });

  it('of another origin, or of a page of another site, gets nothing', async () => {
    const view = await open();
    const own = `http://127.0.0.1:${view.port}`;
    for (const origin of [
      'http://evil.example',
      'null',
      own.replace('http', 'https'),
      `http://localhost:${view.port}`,
    ]) {
      expect(await get(view, '', headed({ Origin: origin })), origin).toMatchObject({ status: 403, text: '' });
    }
    for (const site of ['cross-site', 'same-site', 'anything']) {
      expect(await get(view, 'live', headed({ 'Sec-Fetch-Site': site })), site).toMatchObject({
        status: 403,
        text: '',
      });
    }
    for (const site of ['none', 'same-origin']) {
      expect((await get(view, '', headed({ 'Sec-Fetch-Site': site, Origin: own }))).status, site).toBe(200);
    }
  });

  it('reads by GET and HEAD, and switches by POST only', async () => {
    const view = await open();
    for (const place of ['', 'view.js', 'live', 'chart?policy=task', 'nothing']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
        expect((await get(view, place, { method })).status, `${method} ${place}`).toBe(405);
      }
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await get(view, 'switch', { method })).status, method).toBe(405);
    }
    for (const place of ['', 'view.js', 'live', 'chart?policy=task']) {
      const answer = await get(view, place, { method: 'HEAD' });
      expect([answer.status, answer.text], place).toEqual([200, '']);
    }
  });

  it('finds no file by another name than those of the page', async () => {
    const view = await open();
    for (const place of [
      '../../../../etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      'secret.txt',
      './secret.txt',
      '%73ecret.txt',
      'view.js/',
      '/view.js',
      'view.js%00',
      'index.html',
      '__proto__',
      'constructor',
      'a'.repeat(10_000),
    ]) {
      expect(await get(view, place), place.slice(0, 40)).toMatchObject({ status: 404, text: '' });
    }
  });

  it('that is no HTTP, or names a whole address, gets nothing', async () => {
    const { port, token, url } = await open();
    expect(await ask(port, url)).toMatchObject({ status: 404, text: '' });
    const said = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(port, '127.0.0.1', () => socket.write(`GET /${token}/ nonsense\r\n\r\n`));
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(said).toBe('');
  });
});

it.runIf(process.platform === 'linux')('listens on the loopback address and nowhere else', async () => {
  const { port } = await open();
  const heard = await new Promise<string>((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.2' });
    socket.on('connect', () => resolve('heard'));
    socket.on('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)));
    socket.on('close', () => socket.destroy());
  });
  expect(heard).toBe('ECONNREFUSED');
});

describe('the page', () => {
  it('comes in three files, with the style of the charts, and as strict as can be', async () => {
    const view = await open();
    const types = { '': 'text/html', 'view.js': 'text/javascript', 'view.css': 'text/css' };
    for (const [place, type] of Object.entries(types)) {
      const answer = await get(view, place);
      expect(answer.headers).toMatchObject({ ...STRICT, 'content-type': `${type}; charset=utf-8` });
    }
    expect((await get(view, 'view.css')).text).toBe('page {}\n.chart {}');
  });

  it('that was never built is missed with what to do', async () => {
    const { url } = await openView(openScene().env, '/nonexistent');
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ next: expect.stringContaining('npm run bundle') });
  });
});

describe('the picture of a chart', () => {
  it('is there for each policy, as data of no script', async () => {
    const answer = await get(await open(), 'chart?policy=settle');
    expect(answer).toMatchObject({ status: 200, text: '<svg data-id="settle"/>' });
    expect(answer.headers).toMatchObject({ ...STRICT, 'content-type': 'image/svg+xml' });
  });

  it('is refused for what is no policy, in words that are short and harmless', async () => {
    const view = await open();
    for (const policy of ['', 'nothing', '<img onerror=alert(1)>', '\u202egnp', 'a'.repeat(10_000), '__proto__']) {
      const { status, text } = await get(view, `chart?policy=${encodeURIComponent(policy)}`);
      expect(status).toBe(404);
      expect(text).not.toMatch(/<|\u202e/);
      expect(text.length).toBeLessThan(200);
    }
    expect((await get(view, 'chart')).status).toBe(404);
  });
});
