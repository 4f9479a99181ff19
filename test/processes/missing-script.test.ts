/** A plugin's folder that is gone, or there in part, while sessions run: anthropics/claude-code#64223, #35165. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { start } from '../support/hook.ts';
import { stopped } from '../support/payloads.ts';
import { tempDir } from '../support/temp-dir.ts';

const PLUGIN = path.resolve(import.meta.dirname, '../../plugin');
const { hooks } = JSON.parse(fs.readFileSync(path.join(PLUGIN, 'hooks/hooks.json'), 'utf8'));
const entries = Object.entries(hooks as Record<string, { hooks: { command: string }[] }[]>).flatMap(([event, groups]) =>
  groups.flatMap((group) => group.hooks.map(({ command }) => [event, command] as const)),
);

// /bin/sh is dash on Debian and Ubuntu: there the exit code is 2, with which UserPromptSubmit takes the prompt away,
// Stop never lets the turn end, and `asyncRewake` wakes the session after each turn.
it.each(entries)('%s: no script, no veto: %s', async (_event, command) => {
  const root = path.join(tempDir(), 'gone');
  const env = { HOME: tempDir(), CLAUDE_CODE_SESSION_ATTENDED: '1', CLAUDE_PLUGIN_ROOT: root };
  const { child, ended } = start('/bin/sh', ['-c', command.replaceAll('${CLAUDE_PLUGIN_ROOT}', root)], env);
  child.stdin?.end(JSON.stringify(stopped()));
  expect(await ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
});

it.each(entries)('%s: scripts, but no program: no noise: %s', async (_event, command) => {
  const root = tempDir();
  fs.cpSync(path.join(PLUGIN, 'hooks'), path.join(root, 'hooks'), { recursive: true });
  const env = { HOME: tempDir(), CLAUDE_CODE_SESSION_ATTENDED: '1', CLAUDE_PLUGIN_ROOT: root };
  const { child, ended } = start('/bin/sh', ['-c', command.replaceAll('${CLAUDE_PLUGIN_ROOT}', root)], env);
  child.stdin?.end(JSON.stringify(stopped()));
  expect(await ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
});
