/** The switch that silences everything, when only one of the two that look for it has it in its environment: case B50. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANN, BOB, hookProcess, noteSession, type Place, place, type Served, serve, silence } from './serving.ts';

/** Words of the switch, and whether they switch off. */
const WORDS = [
  ['0', true],
  ['false', true],
  ['off', true],
  ['no', true],
  ['', false],
  ['1', false],
] as const;

const host = { CLAUDE_PID: String(process.pid) };
const prompt = { session_id: BOB, hook_event_name: 'UserPromptSubmit', prompt: 'go on', prompt_id: 'p-1' };

/** Bob's server, started by the test as its host, and mail that waits for him. */
async function withMail(env: Record<string, string> = {}): Promise<{ at: Place; bob: Served }> {
  const at = place();
  await noteSession(at, BOB);
  const bob = await serve(at, { session: null, name: 'bob', env });
  const ann = await serve(at, { command: ['/bin/sh', '-c', '"$0" "$@"; true', process.execPath], session: ANN });
  await ann.call('send_message', { to: 'bob', text: 'hi' });
  return { at, bob };
}

describe.each(WORDS)('NUDGECHART=%j', (word, off) => {
  it('B50: in the server’s environment only', async () => {
    const { at, bob } = await withMail({ NUDGECHART: word });
    const { stdout } = await hookProcess(at, prompt, host);
    expect([await bob.hook({ session_id: BOB }), stdout].join('')).toMatch(off ? /^$/ : /\[nudgechart\] A new message/);
  });

  it('B50: in the hooks’ environment only', async () => {
    const { at, bob } = await withMail();
    await hookProcess(at, prompt, { ...host, NUDGECHART: word });
    const said = [
      (await hookProcess(at, prompt, { ...host, NUDGECHART: word })).stdout,
      await bob.hook({ session_id: BOB }),
    ];
    if (off) expect(said).toEqual(['', '']);
    else expect(fs.readdirSync(path.join(at.root, 'hosts'))).toEqual([String(process.pid)]);
  });
});

it('B50: a host that starts with the switch on again is heard again', async () => {
  const { at, bob } = await withMail();
  await hookProcess(at, prompt, { ...host, NUDGECHART: '0' });
  expect(await bob.hook({ session_id: BOB })).toBe('');
  await noteSession(at, BOB, 'resume');
  expect(await bob.hook({ session_id: BOB })).toContain('A new message');
});

it('B50: a server that starts with the switch on again takes back what the one before it noted', async () => {
  const { at, bob } = await withMail({ NUDGECHART: '0' });
  await bob.close();
  const again = await serve(at, { session: null, name: 'bob' });
  await silence(50);
  expect(await again.hook({ session_id: BOB })).toContain('A new message');
});

it('B50: with the switch off a hook makes no state folder', async () => {
  const at = place();
  await hookProcess(at, prompt, { ...host, NUDGECHART: '0' });
  expect(fs.existsSync(at.root)).toBe(false);
});
