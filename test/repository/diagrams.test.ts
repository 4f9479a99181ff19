/** diagrams/ shows the charts as they are: neither older, nor one too many. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runChart } from '../../src/commands/chart.ts';
import { tempDir } from '../support/temp-dir.ts';

const SHOWN = path.resolve(import.meta.dirname, '../../diagrams');

it('is what the charts say; if not, run `npm run diagrams`', async () => {
  const folder = tempDir();
  await runChart({ out: folder }, { env: {}, out: () => {} });
  const made = fs.readdirSync(folder).sort();
  expect(fs.readdirSync(SHOWN).sort()).toEqual(made);
  for (const name of made) {
    const same = fs.readFileSync(path.join(SHOWN, name), 'utf8') === fs.readFileSync(path.join(folder, name), 'utf8');
    expect(same, `diagrams/${name} differs from its chart`).toBe(true);
  }
});
