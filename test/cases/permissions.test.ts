/** Group H of the case list: places that can't be written, aren't ours, or aren't there. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Files, nodeFiles } from '../../adapters/store/index.ts';
import { contextOf } from '../support/hook.ts';
import { interlink } from '../support/interlink.ts';
import { postToolUse, SESSION, sessionStart } from '../support/payloads.ts';
import { fact, SECOND, T } from '../support/world.ts';
import { documentFile, nudgesWhile, type Place, place, SILENT, sessionWithTask, tree, worldIn } from './scenes.ts';
import { giveAway, hookWithoutRights } from './unprivileged.ts';

const DUE = T + 61 * SECOND;
const TEN_CALLS = { from: DUE, to: DUE + 9 * SECOND, stepMs: SECOND, session: SESSION };

describe('a reminder that cannot be recorded', () => {
  const writes = ['create', 'rename'] as const;
  const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE'];

  it.each(codes.flatMap((code) => writes.map((name) => [name, code] as const)))(
    'B82: where %s fails with %s, ten calls remind not once, and the state stays',
    async (name, code) => {
      const here = place();
      await sessionWithTask(here);
      const files: Files = {
        ...nodeFiles,
        pause: () => {},
        [name]: () => {
          throw Object.assign(new Error(code), { code });
        },
      };
      const before = tree(here.folder);
      const world = worldIn(here, { files });
      for (let call = 0; call < 10; call += 1) {
        world.now = DUE + call * SECOND;
        await expect(world.tell(fact.tool(), SESSION)).rejects.toThrow(code);
      }
      const document = fs.readFileSync(documentFile(here), 'utf8');
      expect(document).toContain('"executing"');
      expect(tree(here.folder)).toEqual(before);
    },
  );

  it('B82: in a state folder of mode 0500, ten hooks remind not once and exit with 0', async () => {
    const here = place();
    await sessionWithTask(here);
    giveAway(here.folder);
    const folder = path.join(here.root, 'sessions', SESSION);
    fs.chmodSync(folder, 0o500);
    fs.chmodSync(here.root, 0o500);
    for (let call = 0; call < 10; call += 1) {
      expect(await hookWithoutRights(here.env, postToolUse(SESSION))).toEqual(SILENT);
    }
    fs.chmodSync(folder, 0o700);
    fs.chmodSync(here.root, 0o700);
    expect(contextOf(await hookWithoutRights(here.env, postToolUse(SESSION)))).toContain('"t" for "ann"');
  });

  // The case list asks for silence; here the document holds the record, and the marker files only repeat it.
  it('B82: a folder in the place of last-nudge costs nothing: ten calls remind once', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    fs.mkdirSync(path.join(here.markers, SESSION, 'last-nudge'));
    expect(await nudgesWhile(worldIn(here), TEN_CALLS)).toEqual([DUE]);
  });

  it('B82: marker files that cannot be written cost nothing: ten calls remind once, and no litter is left', async () => {
    const here = place();
    await sessionWithTask(here);
    const files: Files = {
      ...nodeFiles,
      rename(from, to) {
        if (from.startsWith(here.markers)) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
        nodeFiles.rename(from, to);
      },
    };
    const before = tree(here.markers);
    expect(await nudgesWhile(worldIn(here, { files }), TEN_CALLS)).toEqual([DUE]);
    expect(tree(here.markers)).toEqual(before);
  });
});

describe('a state folder that cannot be had', () => {
  const asRoot: Record<string, (here: Place) => void> = {
    'is a file': ({ root }) => fs.writeFileSync(root, ''),
    'is a link to nowhere': ({ root }) => fs.symlinkSync('/nonexistent/nowhere', root),
    'is a link to a folder': ({ root, folder }) => fs.symlinkSync(folder, root),
    'is in a folder of mode 0500': ({ state }) => fs.chmodSync(state, 0o500),
    'is in a file': ({ state }) => {
      fs.rmdirSync(state);
      fs.writeFileSync(state, '');
    },
  };

  it.each(Object.keys(asRoot))('B83: where the state folder %s, hooks are silent and make nothing', async (name) => {
    const here = place();
    fs.mkdirSync(here.state, { recursive: true });
    giveAway(here.folder);
    asRoot[name]?.(here);
    const before = tree(here.folder);
    const started = { ...here.env, CLAUDE_PID: '4242' };
    for (const payload of [sessionStart(), postToolUse(), 'no JSON']) {
      expect(await hookWithoutRights(started, payload)).toEqual(SILENT);
    }
    expect(tree(here.folder)).toEqual(before);
  });

  it('B83: a marker without a state folder to record in reminds of nothing', async () => {
    const here = place();
    interlink(here.state, SESSION).open('t', 'ann', T);
    giveAway(here.folder);
    fs.chmodSync(here.state, 0o500);
    const answer = await hookWithoutRights(here.env, postToolUse(SESSION));
    fs.chmodSync(here.state, 0o700);
    expect(answer).toEqual(SILENT);
  });

  it.each(['EROFS', 'EMFILE', 'EACCES', 'EIO'])(
    'B83: reading takes no lock and makes no folder; what fails with %s is an error for the hook to count',
    async (code) => {
      const here = place();
      await sessionWithTask(here);
      const fails = () => {
        throw Object.assign(new Error(code), { code });
      };
      const reading = worldIn(here, {
        files: { ...nodeFiles, create: fails, makeFolder: fails, makeFolders: fails, rename: fails },
      });
      reading.now = T + SECOND;
      expect(await reading.tell(fact.tool(), SESSION)).toBeNull();
      for (const name of ['list', 'read', 'info'] as const) {
        const world = worldIn(here, { news: [], files: { ...nodeFiles, [name]: fails } });
        await expect(world.tell(fact.tool(), SESSION)).rejects.toThrow(code);
      }
    },
  );
});
