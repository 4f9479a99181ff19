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
/** A call of the plugin's own server. */
export const tool = (name: string, input: ToolUse['input'] = {}): ToolUse =>
  use(`mcp__plugin_nudgechart_nudgechart__${name}`, input);
export const say = (text: string): Text => ({ type: 'text', text });

/** The model's turn, once its session has a marker whose last update is that old. */
export function marked(space: Space, updatedMinutesAgo: number, ...blocks: readonly Block[]): Turn {
  return ({ session }) => {
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
  return counted(run, by, isReminder);
}

/** The same for announcements of mail. */
export function announcements(run: Run): number[] {
  return counted(run, 'main', isAnnouncement);
}

export const isReminder = (line: string) => line.startsWith('[nudgechart] You are executing');
export const isAnnouncement = (line: string) => /^\[nudgechart\] (?:A new message|\d+ new messages) from /.test(line);

function counted(run: Run, by: ModelRequest['by'], is: (line: string) => boolean): number[] {
  const requests = run.requests.filter((request) => request.by === by);
  return requests.map((request) => nudges(request).filter(is).length);
}

/** What the plugin's hooks have said to the model, in order, up to this request. Its instructions speak of such lines too. */
export function nudges(request: ModelRequest | undefined): string[] {
  const lines = request?.texts.map(once).flatMap((text) => text.split(/(?=\[nudgechart\])|\n/)) ?? [];
  return lines.filter((line) => isReminder(line) || isAnnouncement(line));
}

/** The host repeats the reason for which a Stop hook lets the turn go on, in a text that names the hook's command. */
function once(text: string): string {
  return text.replace(/Stop hook blocking error from command: .*/g, '');
}

/** Whether nudgechart keeps anything about a session. */
export function isKept(space: Space, session: string): boolean {
  return existsSync(path.join(space.state, 'nudgechart', 'sessions', session));
}

export function keepsState(space: Space, run: Run): boolean {
  return isKept(space, run.requests[0]?.session ?? 'the CLI asked the model nothing');
}

export interface Heading {
  readonly sender: string;
  readonly msg_id: string;
}

/** Who wrote and under which id: of the messages that `receive_messages` has shown to the model last. */
export function lettersIn(request: ModelRequest): Heading[] {
  const shown = request.texts.findLast((text) => /^\{"caution":.*"messages":\[/s.test(text)) ?? '';
  const found = shown.matchAll(/"sender":"([^"]+)","msg_id":"([^"]+)"/g);
  return [...found].map(([, sender = '', msg_id = '']) => ({ sender, msg_id }));
}

/** The model's turn in which it acknowledges what it has just read. */
export const acknowledge: Turn = (request) => {
  const messages = lettersIn(request);
  if (messages.length === 0) throw new Error('the model has read no mail that it could acknowledge');
  return [tool('acknowledge_messages', { messages })];
};

/** The model's turn, once something has been done outside. */
export function after(act: (request: ModelRequest) => unknown, turn: Turn): Turn {
  return async (request) => {
    await act(request);
    return typeof turn === 'function' ? turn(request) : turn;
  };
}
