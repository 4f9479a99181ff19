/** Sessions with a past: the real charts lived through it on a clock of our own; on disk it lies as hooks leave it. */
import fs from 'node:fs';
import path from 'node:path';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import { sessionFolder, stateRoot } from '../../adapters/store/root.ts';
import { fileStore } from '../../src/commands/engine.ts';
import type { Fact } from '../../src/core/events.ts';
import { createWorld, type World } from '../support/world.ts';

/** What happened, and how many seconds before now. */
export type Story = readonly (readonly [secondsAgo: number, fact: Fact | readonly Fact[]])[];

/** @returns how many decisions there were */
export async function live(env: Record<string, string>, session: string, story: Story): Promise<number> {
  const store = createMemoryStore();
  const world: World = createWorld({ store });
  const now = Date.now();
  for (const [secondsAgo, facts] of story) {
    world.now = now - secondsAgo * 1000;
    await world.tell(facts, session);
  }
  const { document } = store.load(session);
  if (document === null) throw new Error('the story left nothing behind');
  const { instances, seen, memory } = document;
  const disk = fileStore(env);
  disk.commit(disk.load(session).base, { session, instances, seen, memory });
  const root = stateRoot(env).path;
  const trace = path.join(sessionFolder(root, session), 'trace.jsonl');
  fs.writeFileSync(trace, world.trace.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  const last = now - (story.at(-1)?.[0] ?? 0) * 1000;
  fs.utimesSync(trace, last / 1000, last / 1000);
  return world.trace.length;
}

/** Somebody is in it: the note of a running server, which counts for half a minute. */
export function present(env: Record<string, string>, session: string, name: string, folder: string): void {
  const pid = process.pid;
  presenceIn(stateRoot(env).path, pid, nodeFiles).announce({ sessions: [session], name, folder, summary: null, pid });
}
