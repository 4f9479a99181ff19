/** `nudgechart view` as people run it: the built program, from its first line to its end. */
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openScene, type Scene } from '../commands/scene.ts';
import { runHook, type Started, start } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { fact } from '../support/world.ts';
import { listen, press } from './viewing.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../plugin/dist/nudgechart.cjs');

const view = ({ env }: Scene, ...args: string[]): Started => start(process.execPath, [PROGRAM, 'view', ...args], env);

/** The address that it prints. */
async function urlOf({ child, ended }: Started): Promise<string> {
  const printed = new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (piece: string) => {
      text += piece;
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url !== undefined && text.includes('\n')) resolve(url);
    });
  });
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  return await Promise.race([printed, failed]);
}

describe('the built program', () => {
  it('prints where it is, shows what hooks decide, switches, and ends when told', async () => {
    const scene = openScene();
    await scene.tell(SESSION, fact.opened('t', 'ann', Date.now() - 300_000));
    const started = view(scene);
    const url = await urlOf(started);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    const page = await listen({ url }, SESSION);
    expect((await page.overview()).version).toMatch(/^\d+\.\d+\.\d+/);
    await runHook(postToolUse(), scene.env);
    await page.decisions((all) => all.some(({ said }) => said > 0));
    expect((await press({ url }, { action: 'off', session: null, policy: null })).status).toBe(200);
    const svg = await (await fetch(`${url}chart?policy=task`)).text();
    expect(svg).toMatch(/^<svg [^>]*class="nudgechart-chart"/);
    expect(svg).not.toMatch(/<style|<script|href=/);
    started.child.kill('SIGTERM');
    const { code, signal, stdout, stderr } = await started.ended;
    expect([code, signal, stderr]).toEqual([0, null, '']);
    expect(stdout).toContain('Ctrl-C');
    await page.ended;
    await expect(fetch(url)).rejects.toThrow();
  });

  it.each([
    ['SIGINT', { code: 0, signal: null }],
    // A terminal that has gone: whoever exits by himself then is aborted by Node.
    ['SIGHUP', { code: null, signal: 'SIGHUP' }],
  ] as const)('ends well at %s, also with a request half sent', async (signal, end) => {
    const started = view(openScene());
    const url = new URL(await urlOf(started));
    const socket = net.connect(Number(url.port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await new Promise<void>((resolve) => socket.write('POST / HTTP/1.1\r\nContent-Length: 9\r\n', () => resolve()));
    started.child.kill(signal);
    expect(await started.ended).toMatchObject({ ...end, stderr: '' });
  });

  it('takes the port that it is given, and says so when another has it', async () => {
    const scene = openScene();
    const first = view(scene);
    const { port } = new URL(await urlOf(first));
    const second = await view(scene, '--port', port).ended;
    expect([second.code, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toMatch(new RegExp(`^nudgechart: port ${port} is taken.*\\nnext: .*--port`));
    first.child.kill('SIGTERM');
    await first.ended;
    const third = view(scene, '--port', port);
    expect(new URL(await urlOf(third)).port).toBe(port);
  });

  it.each(['0', '65536', '-1', 'x', '80.5', ''])('takes no %j for a port', async (port) => {
    const { code, stderr } = await view(openScene(), `--port=${port}`).ended;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--port/)]);
  });

  it.each([
    ['that is relative', { NUDGECHART_STATE_DIR: 'here' }],
    ['that is no folder', { NUDGECHART_STATE_DIR: '/dev/null' }],
  ])('serves with a state folder %s, and tells the page what is wrong', async (_kind, env) => {
    const started = start(process.execPath, [PROGRAM, 'view'], env);
    const page = await listen({ url: await urlOf(started) });
    expect((await page.overview()).problem).toEqual({ message: expect.any(String), next: expect.any(String) });
  });

  it('serves where not even a home is there yet, which is no problem', async () => {
    const started = start(process.execPath, [PROGRAM, 'view'], { HOME: '/nonexistent/home' });
    const page = await listen({ url: await urlOf(started) });
    expect(await page.overview()).toMatchObject({ problem: null, sessions: [] });
  });
});
