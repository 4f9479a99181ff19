// The words that the tests are told in: what the model says, and what it is shown.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCli } from './cli.ts';
import type { Space } from './environment.ts';
import { leaveMarker } from './marker.ts';
import type { Block, ModelRequest, Text, ToolUse, Turn } from './model.ts';
import { type Run, type RunOptions, runClaude } from './run.ts';

/** The checkout, or another one (or the unpacked package) put in its place. */
export const ROOT = process.env['NUDGECHART_E2E_ROOT'] || fileURLToPath(new URL('../../..', import.meta.url));
export const PLUGIN = path.join(ROOT, 'plugin');
const INTERVAL = { INTERLINK_PROGRESS_INTERVAL: '60' };

const cli = findCli();
if ('missing' in cli) console.warn(`Skipped: ${cli.missing}`);
/** Empty if there is no CLI; then the tests are skipped. */
export const PROGRAM = 'program' in cli ? cli.program : '';

/** Minutes since the last update of a marked task. */
export const OVERDUE = 2;
export const FRESH = 0;

export const bash = (command: string): ToolUse => use('Bash', { command, description: 'x' });
export const use = (name: string, input: ToolUse['input']): ToolUse => ({ type: 'tool_use', name, input });
export const say = (text: string): Text => ({ type: 'text', text });

/** The model's turn, once its session has a marker whose last update is that old. */
export function marked(space: Space, updatedMinutesAgo: number, ...blocks: readonly Block[]): Turn {
  return (session) => {
    leaveMarker(space, session, updatedMinutesAgo);
    return blocks;
  };
}

export function claude(space: Space, options: Omit<RunOptions, 'program' | 'space'>): Promise<Run> {
  return runClaude({ program: PROGRAM, space, ...options, env: { ...INTERVAL, ...options.env } });
}

export function withPlugin(space: Space, options: Omit<RunOptions, 'program' | 'space' | 'pluginDirs'>): Promise<Run> {
  return claude(space, { ...options, pluginDirs: [PLUGIN] });
}

/** How many reminders each request shows to the model. One that was given stays in the conversation and is seen again. */
export function reminders(run: Run, by: ModelRequest['by'] = 'main'): number[] {
  const requests = run.requests.filter((request) => request.by === by);
  return requests.map((request) => reminderTexts(request).length);
}

export function reminderTexts(request: ModelRequest | undefined): string[] {
  const texts = request?.texts.flatMap((text) => text.split(/(?=\[nudgechart\])/)) ?? [];
  return texts.filter((text) => text.startsWith('[nudgechart]'));
}

/** Whether nudgechart keeps anything about the session of this run. */
export function keepsState(space: Space, run: Run): boolean {
  const session = run.requests[0]?.session ?? 'the CLI asked the model nothing';
  return existsSync(path.join(space.state, 'nudgechart', 'sessions', session));
}
