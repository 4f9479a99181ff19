// Where a run of the CLI lives: temporary folders, an environment with nothing of the caller's in it but PATH, and
// the settings that the first-start dialogs would have written.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../support/temp-dir.ts';

const FAKE_KEY = 'fake-key';

export interface Space {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  /** XDG_STATE_HOME */
  readonly state: string;
  readonly tmp: string;
}

/**
 * Folders for one test, removed when it ends. The name is short because sockets in it have a length limit.
 *
 * @param beside another space, whose state is shared: two sessions of one user
 */
export function openSpace(beside?: Space): Space {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'nc-')));
  onTestFinished(() => removeFolder(base));
  const folder = (name: string) => path.join(base, name);
  const state = beside?.state ?? folder('state');
  const space = { base, home: folder('home'), project: folder('project'), state, tmp: folder('tmp') };
  for (const each of Object.values(space)) mkdirSync(each, { recursive: true });
  return space;
}

export function environment(space: Space, modelUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: space.home,
    TMPDIR: space.tmp,
    XDG_STATE_HOME: space.state,
    USER: 'tester',
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: FAKE_KEY,
    NO_PROXY: '127.0.0.1,localhost',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    CLAUDE_CODE_ENABLE_TELEMETRY: '0',
    CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
}

/** Adds to the user settings: what a plugin's installation has written there stays. */
export function addSettings(space: Space, more: Readonly<Record<string, unknown>>): void {
  merge(path.join(space.home, '.claude', 'settings.json'), more);
}

/** Answers the dialogs of a first start: onboarding, the use of the API key, trust in the project's folder. */
export function settleIn(space: Space): void {
  merge(path.join(space.home, '.claude.json'), {
    hasCompletedOnboarding: true,
    theme: 'dark',
    autoUpdates: false,
    customApiKeyResponses: { approved: [FAKE_KEY], rejected: [] },
    projects: { [space.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });
}

function merge(file: string, more: Readonly<Record<string, unknown>>): void {
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...(before as object), ...more }, null, 2));
}
