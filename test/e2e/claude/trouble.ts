// What a user or the model would see of a hook that went wrong, and what a run would leave behind.

import type { Run } from './run.ts';

// The CLI's own words, in its events, its transcript, its log and on the screen.
const SIGNS = [
  /hook failed/i,
  /hook_(?:non_blocking_error|blocking_error|error|cancelled)/,
  /hook \[.*\] failed/,
  /Hook .* error: status code/,
  /completed with status [1-9]/,
  /non-blocking status code/,
  /Hook JSON output/,
  /Failed to load hooks/i,
  /hook.*EPIPE/i,
];
/** A terminal session that is left ends the hook that waits for mail. Only the log tells. */
const ENDED_BY_HOST = /Hook Stop \(Stop\) error: status code 137/;
/** What looks like an error of a Stop hook is the way in which it lets a turn go on, or begins one. */
const MEANT = /(?:hook_blocking_error|Stop hook error|status code 2\b).*(?:\[nudgechart\] |keep driving\.|\[mu\] )/;
const LINE_LENGTH = 300;

/** Nothing, if all went well; else one line for each thing that is not as it should be. */
export function troubles(run: Run): string[] {
  const failed = hookAnswers(run).filter((event) => event.outcome !== 'success' || event.exit_code !== 0);
  return [
    ...(run.exitCode === 0 ? [] : [`the CLI ended with ${run.exitCode}`]),
    ...(run.said.stderr === '' ? [] : [`stderr: ${run.said.stderr.slice(0, LINE_LENGTH)}`]),
    ...failed.map((event) => `${event.hook_event} hook: ${event.outcome}, exit code ${event.exit_code}`),
    ...Object.entries(run.said).flatMap(([place, text]) => bad(text).map((line) => `${place}: ${line}`)),
    ...run.leftOver.map((line) => `left behind: ${line}`),
  ];
}

/** The hooks that ran, by event (print and stream only). SessionEnd comes after the last event: see the debug log. */
export function hooksRun(run: Run): string[] {
  const ended = /SessionEnd:\w+ \[.*\] completed with status 0/.test(run.said.debug);
  return [...hookAnswers(run).map((event) => event.hook_event ?? ''), ...(ended ? ['SessionEnd'] : [])];
}

function hookAnswers(run: Run) {
  return run.events.filter((event) => event.subtype === 'hook_response');
}

function bad(text: string): string[] {
  const isMeant = (line: string) => ENDED_BY_HOST.test(line) || MEANT.test(line);
  const lines = text.split('\n').filter((line) => SIGNS.some((sign) => sign.test(line)) && !isMeant(line));
  return lines.map((line) => line.slice(0, LINE_LENGTH));
}
