/** A home folder of its own, the real engine and store in it, and a command's view of it. */
import fs from 'node:fs';
import path from 'node:path';
import { fileEngine } from '../../src/commands/engine.ts';
import type { Surroundings } from '../../src/commands/surroundings.ts';
import { visible } from '../../src/commands/table.ts';
import type { Fact } from '../../src/core/events.ts';
import { type Interlink, interlink } from '../support/interlink.ts';
import { tempDir } from '../support/temp-dir.ts';

export interface Scene {
  readonly home: string;
  /** A folder in which commands run. */
  readonly project: string;
  readonly root: string;
  readonly env: Record<string, string>;
  /** What a command sees; what it prints is in `lines`. */
  readonly here: Surroundings;
  /** Epoch ms at which commands look; null: now. The engine has the real clock. */
  at: number | null;
  readonly lines: string[];
  tell(session: string, ...facts: Fact[]): Promise<void>;
  /** interlink's own server and hook in that session. */
  interlink(session: string): Interlink;
  /** Every file under the home folder with its content. */
  everything(): Record<string, string>;
  write(file: string, content: unknown): string;
}

/** Where `nudgechart` is installed. */
function programFolder(): string {
  const folder = tempDir();
  fs.writeFileSync(path.join(folder, 'nudgechart'), '');
  return folder;
}

export function openScene(more: { env?: Record<string, string>; columns?: number } = {}): Scene {
  const home = fs.realpathSync(tempDir());
  const project = path.join(home, 'project');
  fs.mkdirSync(project);
  const stateHome = path.join(home, '.local', 'state');
  const env = { HOME: home, PATH: programFolder(), ...more.env };
  const lines: string[] = [];
  const out = (text: string) => void lines.push(...visible(text).split('\n'));
  const scene: Scene = {
    home,
    project,
    root: path.join(stateHome, 'nudgechart'),
    env,
    at: null,
    here: {
      env,
      cwd: project,
      get now() {
        return scene.at ?? Date.now();
      },
      columns: more.columns ?? null,
      out,
    },
    lines,
    async tell(session, ...facts) {
      for (const fact of facts) await fileEngine(env).handle(session, [fact]);
    },
    interlink: (session) => interlink(stateHome, session),
    everything: () => filesUnder(home),
    write(file, content) {
      const whole = path.resolve(home, file);
      fs.mkdirSync(path.dirname(whole), { recursive: true });
      fs.writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
      return whole;
    },
  };
  return scene;
}

function filesUnder(folder: string): Record<string, string> {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [file, entry.isFile() ? fs.readFileSync(file, 'utf8') : ''];
    }),
  );
}

/** The one document of a session, changed by hand. */
export function edit(scene: Scene, session: string, change: (text: string) => string): void {
  const folder = path.join(scene.root, 'sessions', session);
  const name = fs.readdirSync(folder).find((one) => one.endsWith('.json') && /^\d+-/.test(one));
  const file = path.join(folder, name ?? '');
  const before = fs.readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error('nothing was changed');
  fs.writeFileSync(file, after);
}
