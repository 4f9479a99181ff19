/** A mu that prints as much as it may, of every kind: the hook ends within its time, and says nothing that it can't read. */
import { expect, it } from 'vitest';
import { newHome } from '../processes/home.ts';
import { runHook } from '../support/hook.ts';
import { shellCall, stopped } from '../support/payloads.ts';
import { stubMu } from '../support/stub-mu.ts';

const MOST = 8 * 1024 * 1024 - 1000;
const kinds: [string, () => string][] = [
  [
    'many small tasks',
    () => {
      const row = '{"name":"a","workstreamName":"b","status":"IN_PROGRESS","ownerName":"w"}';
      return `{"inProgress":[${Array.from({ length: Math.floor(MOST / (row.length + 1)) }, () => row).join(',')}]}`;
    },
  ],
  [
    'many tiny distinct tasks',
    () => {
      const rows: string[] = [];
      for (let i = 0, n = 0; n < MOST - 60; i += 1) {
        const row = `{"name":"${i.toString(36)}","workstreamName":"${i.toString(36)}"}`;
        rows.push(row);
        n += row.length + 1;
      }
      return `{"inProgress":[${rows.join(',')}]}`;
    },
  ],
  [
    'many cards',
    () => `{"workstreams":[${Array.from({ length: Math.floor(MOST / 18) }, () => '{"inProgress":[]}').join(',')}]}`,
  ],
  ['wrong rows', () => `{"inProgress":[${Array.from({ length: Math.floor(MOST / 3) }, () => '{}').join(',')}]}`],
  ['wrong cards', () => `{"workstreams":[${Array.from({ length: Math.floor(MOST / 3) }, () => '{}').join(',')}]}`],
  [
    'long names',
    () => {
      const row = JSON.stringify({ name: '\u202e'.repeat(300), workstreamName: '\u202e'.repeat(256) });
      return `{"inProgress":[${Array.from({ length: Math.floor(MOST / (Buffer.byteLength(row) + 1)) }, () => row.replace('"name":"', `"name":"${Math.random()}`)).join(',')}]}`.slice(
        0,
      );
    },
  ],
];

it.each(kinds)(
  '%s in 8 MiB of an answer don’t hold the hook beyond its limit',
  async (_kind, text) => {
    const home = newHome();
    const mu = stubMu();
    const env = { ...home.env, ...mu.env };
    await runHook(shellCall('mu task claim a --for w-1 -w auth'), env);
    mu.prints(text());
    // Reading them all took minutes once; what ends here in time has not read them all.
    const { code, stdout, stderr } = await runHook(stopped(), env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.length).toBeLessThan(8000);
  },
  30_000,
);
