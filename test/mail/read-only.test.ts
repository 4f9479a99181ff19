/** Servers of a user who may not write where state lies. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { ALICE, BOB, boxOf, newFolder, textsIn } from './post.ts';
import { NOBODY, startServer } from './servers.ts';

const LONGEST_MS = 120_000;

/** A folder of that user's own. */
function place(): string {
  const folder = tempDir();
  const root = path.join(folder, 'state');
  fs.chmodSync(folder, 0o755);
  fs.mkdirSync(root, { mode: 0o700 });
  if (process.getuid?.() === 0) fs.chownSync(root, NOBODY, NOBODY);
  return root;
}

const server = (root: string, session: string, name: string) => startServer({ root, session, name, nobody: true });

it.skipIf(process.platform === 'win32').each(['500', '000'])(
  'answer everything and write nothing where the state folder has mode %s',
  async (mode) => {
    const root = place();
    fs.chmodSync(root, Number.parseInt(mode, 8));
    const ann = await server(root, ALICE, 'ann');
    expect(await ann.tool()).toBe(0);
    for (const [tool, args] of Object.entries({
      discover: {},
      list_tasks: {},
      receive_messages: {},
      send_message: { to: 'bob', text: 'hi' },
    })) {
      const answer = await ann.ask(tool, args);
      if (answer.isError) expect(JSON.stringify(answer.content)).toContain('Next: ');
    }
    expect((await ann.ask('send_message', { to: 'bob', text: 'hi' })).isError).toBe(true);
    expect(fs.readdirSync(root)).toEqual([]);
    fs.chmodSync(root, 0o700);
  },
  LONGEST_MS,
);

it.skipIf(process.platform === 'win32').each(['tmp', 'new'])(
  'say that nothing was sent where %s can’t be written, and send when it can',
  async (part) => {
    const root = place();
    const bob = await server(root, BOB, 'bob');
    const ann = await server(root, ALICE, 'ann');
    const folder = path.join(newFolder(root), '..', part);
    fs.chmodSync(folder, 0o500);
    const refused = await ann.ask('send_message', { to: 'bob', text: 'refused' });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/Nothing was done: EACCES.*Next: /);
    expect(textsIn(boxOf(root))).toEqual([]);
    fs.chmodSync(folder, 0o700);
    await ann.call('send_message', { to: 'bob', text: 'sent' });
    expect((await bob.mail()).map(({ text }) => text)).toEqual(['sent']);
  },
  LONGEST_MS,
);
