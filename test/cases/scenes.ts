/** Places on disk, the engine and hook processes that run there, and a look at what is left behind. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createMarkers } from '../../adapters/markers/index.ts';
import { createFileStore, type Files } from '../../adapters/store/index.ts';
import { sessionFolder } from '../../adapters/store/root.ts';
import { type Ended, runHook } from '../support/hook.ts';
import { SESSION } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';
import { createWorld, fact, T, type World, type WorldOptions } from '../support/world.ts';

/** The folder of the plugin, as it is installed. */
export const PLUGIN = path.resolve(import.meta.dirname, '../../plugin');
export const PROGRAM = path.join(PLUGIN, 'dist/nudgechart.cjs');

const CLOCK = path.resolve(import.meta.dirname, '../support/fake-clock.cjs');

/** What a hook that has nothing to say leaves: no byte anywhere, exit code 0. */
export const SILENT: Ended = { code: 0, signal: null, stdout: '', stderr: '' };

export interface Place {
  /** All that belongs to the test. */
  readonly folder: string;
  /** What XDG_STATE_HOME is there. */
  readonly state: string;
  readonly root: string;
  readonly markers: string;
  readonly env: Record<string, string>;
}

export function place(): Place {
  const folder = tempDir();
  const state = path.join(folder, 'state');
  return {
    folder,
    state,
    root: path.join(state, 'nudgechart'),
    markers: path.join(state, 'interlink', 'task'),
    env: { XDG_STATE_HOME: state, HOME: path.join(folder, 'home') },
  };
}

/** The engine over real files, marker files included. */
export function worldIn({ root, markers }: Place, options: WorldOptions & { files?: Files } = {}): World {
  const { files, ...rest } = options;
  return createWorld({
    store: createFileStore({ root, ...(files ? { files } : {}) }),
    news: [createMarkers({ root: markers, ...(files ? { files } : {}) })],
    ...rest,
  });
}

/** One hook process that takes this moment for now. */
export async function hookAt(
  { env }: Pick<Place, 'env'>,
  at: number,
  payload: unknown,
  more: Record<string, string> = {},
): Promise<Ended> {
  const { NODE_OPTIONS = '', ...rest } = more;
  return await runHook(payload, {
    ...env,
    ...rest,
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${CLOCK}`,
    FAKE_NOW: String(at),
  });
}

/** A session with one task, `t` for `ann`, opened at T. */
export async function sessionWithTask(here: Place, session = SESSION): Promise<World> {
  const world = worldIn(here);
  await world.tell(fact.opened('t', 'ann', T), session);
  return world;
}

/** The document that the session's head names. */
export function documentFile({ root }: Pick<Place, 'root'>, session = SESSION): string {
  const folder = sessionFolder(root, session);
  const head = fs.readdirSync(folder).find((name) => name.startsWith('head.'));
  return path.join(folder, `${head?.slice('head.'.length)}.json`);
}

/** Everything below a folder: `path kind content`, links not followed. Two equal listings mean that nothing happened. */
export function tree(folder: string, below = ''): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(path.join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.join(below, entry.name);
      if (entry.isDirectory()) return [`${name}/`, ...tree(folder, name)];
      if (entry.isSymbolicLink()) return [`${name} -> ${fs.readlinkSync(path.join(folder, name))}`];
      return [entry.isFile() ? `${name} ${digestOf(path.join(folder, name))}` : `${name} special`];
    });
}

function digestOf(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex').slice(0, 16);
}

/** When a tool call every `stepMs` was answered with a reminder. */
export async function nudgesWhile(
  world: World,
  { from, to, stepMs, session }: { from: number; to: number; stepMs: number; session?: string },
): Promise<number[]> {
  const heard: number[] = [];
  for (let now = from; now <= to; now += stepMs) {
    world.now = now;
    if ((await world.tell(fact.tool(), session)) !== null) heard.push(now);
  }
  return heard;
}
