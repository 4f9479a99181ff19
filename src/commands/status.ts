/** `nudgechart status`: what each chart of each session thinks, and whether hooks have failed. Changes nothing. */
import { setTimeout } from 'node:timers/promises';
import { defineCommand } from 'citty';
import { clearFailures } from '../../adapters/store/failures.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { NudgechartError } from '../core/errors.ts';
import { hangUp } from './hang-up.ts';
import { documentOf } from './status/document.ts';
import { createGlance, type Wish } from './status/glance.ts';
import { terminal } from './status/terminal.ts';
import { blocksOf } from './status/text.ts';
import { watchStatus } from './status/watch.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { json } from './table.ts';

/** npx passes Ctrl-C on that the terminal has sent already: a process that is ending by then would die of the second. */
const AGAIN_MS = 100;

export interface StatusOptions extends Wish {
  readonly json?: boolean | undefined;
  /** Counts hook failures anew. */
  readonly clearFailures?: boolean | undefined;
}

/** @throws NudgechartError when there is no state folder to look into, or no such session */
export function showStatus({ clearFailures: cleared = false, ...options }: StatusOptions, here: Surroundings): void {
  const { env, now, out } = here;
  const glance = createGlance(options, env)(here);
  if (cleared) clearFailures(glance.root, nodeFiles);
  if (options.json === true) {
    out(json(documentOf(glance, now)));
    return;
  }
  const { settings, charts, others } = blocksOf(glance, here, cleared);
  const blocks = [settings, charts, ...others];
  out(blocks.map((lines) => lines.map(({ text }) => text).join('\n')).join('\n\n'));
}

export const status = defineCommand({
  meta: { name: 'status', description: 'Shows each chart of each session, and how often hooks have failed.' },
  args: {
    session: { type: 'string', description: 'Only this session: its id, or the beginning of it', valueHint: 'id' },
    all: { type: 'boolean', description: 'Also charts that have come to an end' },
    watch: { type: 'boolean', description: 'Stays, and shows what changes until Ctrl-C' },
    json: { type: 'boolean', description: 'One JSON document; with --watch one a line, whenever it changes' },
    'clear-failures': { type: 'boolean', description: 'Counts hook failures anew after showing them' },
  },
  async run({ args: { session, all, json, watch, 'clear-failures': cleared } }) {
    if (watch !== true) return showStatus({ session, all, json, clearFailures: cleared }, surroundings());
    if (cleared === true) {
      const next = 'run nudgechart status --clear-failures first';
      throw new NudgechartError('ARGUMENT_INVALID', '--watch changes nothing, so it can’t clear failures', next);
    }
    const over = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => over.abort(signal));
    await watchStatus({ wish: { session, all }, json: json === true, here: surroundings, screen: terminal(), over });
    if (over.signal.reason === 'SIGHUP') hangUp();
    if (over.signal.reason === 'SIGINT') await setTimeout(AGAIN_MS);
  },
});
