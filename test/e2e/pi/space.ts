// Where a run of pi lives: temporary folders, and an environment with nothing of the caller's in it but PATH.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../support/temp-dir.ts';

export interface Space {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  /** XDG_STATE_HOME */
  readonly state: string;
  /** First on PATH. */
  readonly bin: string;
  /** pi's own settings. */
  readonly agent: string;
}

/** Folders for one test, removed when it ends. */
export function openSpace(): Space {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'nc-pi-')));
  onTestFinished(() => removeFolder(base));
  const folder = (...names: string[]) => path.join(base, ...names);
  const space: Space = {
    base,
    home: folder('home'),
    project: folder('project'),
    state: folder('state'),
    bin: folder('bin'),
    agent: folder('home', '.pi', 'agent'),
  };
  for (const each of Object.values(space)) mkdirSync(each, { recursive: true });
  return space;
}

/** Puts a shell script on PATH. */
export function addCommand({ bin }: Space, name: string, script: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin, name), 0o755);
}

export function environment(space: Space, node: string): Record<string, string> {
  return {
    PATH: [space.bin, path.dirname(node), process.env['PATH'] ?? ''].join(path.delimiter),
    HOME: space.home,
    TMPDIR: space.base,
    XDG_STATE_HOME: space.state,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    PI_CODING_AGENT_DIR: space.agent,
    PI_OFFLINE: '1',
    PI_SKIP_VERSION_CHECK: '1',
    PI_TELEMETRY: '0',
    INTERLINK_PROGRESS_INTERVAL: '60',
  };
}
