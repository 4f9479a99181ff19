/** Notes about hosts that are no more, or that several servers of one host leave. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { isHostOff } from '../../adapters/store/hosts.ts';
import { boxOf, letter, textsIn } from '../mail/post.ts';
import { ANN, BOB, noteSession, place, serve } from './serving.ts';

it('a server takes nothing from the session of a crashed host that had the process id of its own before', async () => {
  const at = place();
  fs.mkdirSync(path.join(at.root, 'hosts'), { recursive: true, mode: 0o700 });
  // A host that was killed (a container that was stopped): its note lies there, from before this host began.
  const note = path.join(at.root, 'hosts', String(process.pid));
  fs.writeFileSync(note, JSON.stringify({ session: BOB, agent: null, wakes: true }));
  const old = new Date(Date.now() - 3_600_000 * 5);
  fs.utimesSync(note, old, old);
  boxOf(at.root, nodeFiles, BOB).deliver(letter('for bob only', { at: Date.now() }));
  // Claude Code starts its servers before the SessionStart hook has ended.
  const server = await serve(at, { session: ANN, name: 'new' });
  await noteSession(at, ANN);
  await server.hook({ session_id: ANN });
  await server.call('list_tasks');
  expect(textsIn(boxOf(at.root, nodeFiles, BOB))).toEqual(['for bob only']);
});

it('of two servers of one host the one that is on does not take back what the other noted', async () => {
  const at = place();
  await noteSession(at, BOB);
  await serve(at, { session: null, name: 'off', env: { NUDGECHART: '0' } });
  const on = await serve(at, { session: null, name: 'on' });
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  expect(isHostOff(at.root, nodeFiles, String(process.pid), Date.now())).toBe(true);
  await on.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isHostOff(at.root, nodeFiles, String(process.pid), Date.now())).toBe(true);
});
