import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordFailure } from '../../../adapters/store/failures.ts';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { OTHER_SESSION, SESSION } from '../../support/payloads.ts';
import { fact } from '../../support/world.ts';
import { edit, openScene, type Scene } from '../scene.ts';
import { examined, verdicts } from './examined.ts';

async function withTask(): Promise<Scene> {
  const scene = openScene();
  await scene.tell(SESSION, fact.opened('t1', 'alice', Date.now()));
  return scene;
}

describe('doctor on hook failures', () => {
  it('is content with none', async () => {
    expect(verdicts(examined(await withTask())('failures'))).toEqual(['ok']);
  });

  it.each([
    ['PAYLOAD_UNREADABLE', 'hook entries'],
    ['EACCES', 'state-folder'],
    ['UNEXPECTED', 'NUDGECHART_LOG=1'],
  ])('tells how many, why, and what to do (%s)', async (code, next) => {
    const scene = await withTask();
    const failure = Object.assign(new Error('a \u001b reason'), { code });
    recordFailure(scene.root, nodeFiles, Date.now() - 200_000, failure);
    expect(examined(scene)('failures')).toMatchObject([
      {
        verdict: 'note',
        detail: expect.stringMatching(`once, last 3 min ago \\(${code} 1\\).*the last: "a \\\\u001b reason"`),
        next: expect.stringContaining(next),
      },
    ]);
  });
});

describe('doctor on documents', () => {
  it('counts those that are fine', async () => {
    expect(examined(await withTask())('documents')).toMatchObject([
      { verdict: 'ok', detail: '1 session, all readable' },
    ]);
  });

  it('finds one that can’t be read, wherever it is among others', async () => {
    const scene = await withTask();
    await scene.tell(OTHER_SESSION, fact.opened('t1', 'alice', Date.now()));
    edit(scene, SESSION, () => '{');
    const findings = examined(scene)('documents');
    expect(findings).toMatchObject([{ verdict: 'wrong', detail: expect.stringContaining(`session ${SESSION}`) }]);
  });

  it.each([
    ['"executing"', '"nowhere"', 'wrong', '1 chart can’t be used'],
    ['"version":"1"', '"version":"9"', 'note', '1 chart of a newer nudgechart'],
    ['"task/', '"gone/', 'note', '1 chart of policies that were removed or don’t run: kept, silent'],
    ['"format":1', '"format":9', 'wrong', 'written by a newer nudgechart'],
  ])('finds %s turned into %s', async (from, to, verdict, detail) => {
    const scene = await withTask();
    edit(scene, SESSION, (before) => before.replace(from, to));
    expect(examined(scene)('documents')).toMatchObject([{ verdict, detail: expect.stringContaining(detail) }]);
  });

  it('notes what was put aside', async () => {
    const scene = await withTask();
    edit(scene, SESSION, () => '{');
    await scene.tell(SESSION, fact.opened('t2', 'alice', Date.now()));
    expect(examined(scene)('documents')).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining('1 piece') },
    ]);
  });

  it('says nothing about what is in a refused folder', async () => {
    const scene = await withTask();
    fs.chmodSync(scene.root, 0o777);
    expect(examined(scene)('documents')).toEqual([]);
    expect(examined(scene)('failures')).toEqual([]);
    expect(verdicts(examined(scene)('state-folder'))).toEqual(['wrong']);
  });
});
