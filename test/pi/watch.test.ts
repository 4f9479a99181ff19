/** Waking in pi: one bad moment doesn't end it, and a lasting one is known. */
import { expect, it } from 'vitest';
import { createMailNews } from '../../adapters/mail/local/news.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { watchMail } from '../../src/commands/pi/watch.ts';
import { boxOf, letter } from '../mail/post.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld } from '../support/world.ts';

it('goes on after one error, and says so', async () => {
  const root = tempDir();
  const world = createWorld({ news: [createMailNews({ root, files: nodeFiles })] });
  const woken: string[] = [];
  let fails = true;
  const watch = watchMail({
    root,
    session: 'b0b00000-0000-4000-8000-000000000002',
    engine: {
      handle: (session, facts) => {
        if (!fails) return world.tell(facts, session);
        fails = false;
        return Promise.reject(new Error('CONFLICT_PERSISTS'));
      },
    },
    isIdle: () => true,
    wake: ({ text }) => woken.push(text),
    failed: () => {},
  });
  boxOf(root).deliver(letter('hi'));
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(watch.isOn()).toBe(true);
  watch.stop();
  expect(watch.isOn()).toBe(false);
  expect(woken).toHaveLength(1);
}, 20_000);

it('ends when it fails again and again', async () => {
  const root = tempDir();
  let failures = 0;
  const watch = watchMail({
    root,
    session: 'b0b00000-0000-4000-8000-000000000002',
    engine: { handle: () => Promise.reject(new Error('CONFLICT_PERSISTS')) },
    isIdle: () => true,
    wake: () => {},
    failed: () => {
      failures += 1;
    },
  });
  boxOf(root).deliver(letter('hi'));
  await expect.poll(() => watch.isOn(), { timeout: 20_000, interval: 200 }).toBe(false);
  expect(failures).toBe(3);
}, 30_000);
