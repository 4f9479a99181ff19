/** Layers over the real files that note what is done, let something happen in between, or fail. */
import fs from 'node:fs';
import path from 'node:path';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';

export interface Call {
  readonly name: keyof Files;
  readonly args: readonly unknown[];
}

export interface Watch {
  /** What it throws is thrown instead of the call. */
  before?(call: Call): void;
  /** What it throws is thrown although the call has been carried out. */
  after?(call: Call): void;
}

const READING: ReadonlySet<string> = new Set<keyof Files>(['list', 'read', 'info', 'pause']);

export function isChange({ name }: Call): boolean {
  return !READING.has(name);
}

export function watched({ before, after }: Watch, files: Files = nodeFiles): Files {
  const wrap =
    (name: keyof Files) =>
    (...args: unknown[]) => {
      before?.({ name, args });
      const result = (files[name] as (...args: unknown[]) => unknown)(...args);
      after?.({ name, args });
      return result;
    };
  return Object.fromEntries((Object.keys(files) as (keyof Files)[]).map((name) => [name, wrap(name)])) as never;
}

/** What is done, by name and with the last parts of the paths: `rename head.1 head.2`. Ids and their like are left out. */
export function recorded(calls: string[], files: Files = nodeFiles): Files {
  return watched({ before: (call) => void calls.push(shown(call)) }, files);
}

function shown({ name, args }: Call): string {
  const paths = name === 'create' || name === 'append' || name === 'read' ? args.slice(0, 1) : args;
  const names = paths.map((one) =>
    typeof one === 'string'
      ? path
          .basename(one)
          .replace(/-[0-9a-f]{16}(?=\.json$|$)/, '')
          .replace(/\.corrupt-.*/, '.corrupt')
      : one,
  );
  return [name, ...names].join(' ');
}

export function nodeError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The first `times` calls of that name fail, without being carried out. */
export function failing(name: keyof Files, code: string, times = Number.POSITIVE_INFINITY): Files {
  let left = times;
  return watched({
    before(call) {
      if (call.name !== name || left <= 0) return;
      left -= 1;
      throw nodeError(code);
    },
  });
}

/** What a process meets before its n-th change to files. `tear`: half the file is written, then it is killed. */
export interface Fault {
  readonly change: number;
  readonly act: 'kill' | 'tear' | 'stop';
}

/** @param announce called before the process stops itself */
export function faulty(fault: Fault | undefined, announce: () => void): Files {
  let changes = 0;
  return watched({
    before(call) {
      if (fault === undefined || !isChange(call)) return;
      changes += 1;
      if (changes === fault.change) meet(fault.act, call, announce);
    },
  });
}

function meet(act: Fault['act'], { args: [file, text] }: Call, announce: () => void): void {
  if (act === 'stop') {
    announce();
    process.kill(process.pid, 'SIGSTOP');
    return;
  }
  if (act === 'tear') fs.writeFileSync(String(file), String(text).slice(0, String(text).length / 2));
  process.kill(process.pid, 'SIGKILL');
  nodeFiles.pause(60_000);
}
