/** All sessions as they stand on disk, each read again only when something of it has changed. */
import path from 'node:path';
import { type Files, nodeFiles } from '../../adapters/store/files.ts';
import { parseLine, type Spoken, spokenIn } from '../../adapters/store/read-trace.ts';
import type { Env } from '../../adapters/store/root.ts';
import type { Configured } from '../core/policy.ts';
import { type NextNudge, nextNudge } from '../engine/next-nudge.ts';
import { lengthened, readProject } from './project-config.ts';
import { byChange, type Chart, readSession, type SessionState, sessionFolders } from './sessions.ts';

export interface Reading {
  /** The name of its folder. */
  readonly key: string;
  readonly state: SessionState;
  /** When something was decided last, epoch ms, also if that changed nothing. */
  readonly decidedAt: number;
  readonly said: Spoken;
  /** The last that was told of it is that it ended. */
  readonly ended: boolean;
  /** Where nothing is switched off, as of the moment at which the chart was read. */
  readonly next: ReadonlyMap<Chart, NextNudge>;
  /** Policies that the project switches off: since when, epoch ms. */
  readonly offHere: ReadonlyMap<string, number>;
}

export interface Wanted {
  readonly policies: readonly Configured[];
  /** Where the session of that key works; null: not known. */
  readonly projectOf: (key: string) => string | null;
  /** Epoch ms. */
  readonly now: number;
}

interface Kept {
  readonly stateStamp: string;
  readonly traceStamp: string;
  readonly reading: Reading;
}

/** @returns reads them, the latest first; it throws as `readSessions` does */
export function createReadings(env: Env, files: Files = nodeFiles): (wanted: Wanted) => Reading[] {
  let kept = new Map<string, Kept>();

  const read = (folder: string, wanted: Wanted): Kept | null => {
    const key = path.basename(folder);
    const before = kept.get(folder);
    const project = readProject(wanted.projectOf(key), files);
    const policies = lengthened(wanted.policies, project);
    const stateStamp = [stampOf(folder, files), stampOfPolicies(policies), project?.changedAt, project?.off].join(' ');
    const traceStamp = TRACES.map((name) => infoText(path.join(folder, name), files)).join(' ');
    if (before?.stateStamp === stateStamp && before.traceStamp === traceStamp) return before;
    const isSame = before?.stateStamp === stateStamp;
    const state = isSame ? before.reading.state : readSession(folder, env, policies, files);
    if (state === null) return null;
    const reading: Reading = {
      key,
      state,
      decidedAt: Math.max(state.changedAt, Math.floor(changeOf(path.join(folder, TRACES[0]), files))),
      ...(before?.traceStamp === traceStamp ? told(before.reading) : toldIn(folder, files)),
      next: isSame ? before.reading.next : nextOf(state.charts, wanted.now),
      offHere: new Map((project?.off ?? []).map((policy) => [policy, project?.changedAt ?? 0])),
    };
    return { stateStamp, traceStamp, reading };
  };

  return (wanted) => {
    const found = sessionFolders(env, files).flatMap((folder): [string, Kept][] => {
      const one = read(folder, wanted);
      return one === null ? [] : [[folder, one]];
    });
    kept = new Map(found);
    return found
      .map(([, { reading }]) => reading)
      .sort((a, b) => b.decidedAt - a.decidedAt || byChange(a.state, b.state));
  };
}

/** Traces are put aside at 1 MiB. */
const LONGEST = 16 * 1024 * 1024;
const TRACES = ['trace.jsonl', 'trace.1.jsonl'] as const;

type Told = Pick<Reading, 'said' | 'ended'>;

function told({ said, ended }: Told): Told {
  return { said, ended };
}

function toldIn(folder: string, files: Files): Told {
  return { said: spokenIn(folder, files), ended: hasEnded(path.join(folder, TRACES[0]), files) };
}

function hasEnded(trace: string, files: Files): boolean {
  try {
    const text = files.read(trace, LONGEST).trimEnd();
    return parseLine(text.slice(text.lastIndexOf('\n') + 1))?.events.includes('session.ended') === true;
  } catch {
    return false;
  }
}

function nextOf(charts: readonly Chart[], now: number): Map<Chart, NextNudge> {
  return new Map(
    charts.flatMap((chart): [Chart, NextNudge][] => {
      const next = chart.kind === 'live' ? nextNudge(chart.configured, chart.snapshot, now) : null;
      return next === null ? [] : [[chart, next]];
    }),
  );
}

/** Names of heads never come back, so another document means another name; one that was edited by hand has another time. */
function stampOf(folder: string, files: Files): string {
  try {
    const names = files.list(folder).sort();
    const documents = names
      .filter((name) => /^\d+-/.test(name))
      .map((name) => infoText(path.join(folder, name), files));
    return [...names, ...documents, infoText(folder, files)].join(' ');
  } catch (error) {
    return String(error);
  }
}

function infoText(file: string, files: Files): string {
  try {
    const info = files.info(file);
    return info === null ? '-' : `${info.kind} ${info.size} ${info.changedAt} ${info.mode}`;
  } catch (error) {
    return String(error);
  }
}

/** 0: it isn't there. */
function changeOf(file: string, files: Files): number {
  try {
    return files.info(file)?.changedAt ?? 0;
  } catch {
    return 0;
  }
}

/** A policy that is added anew is another one, also under its old name and version. */
const numbers = new WeakMap<object, number>();
let drawn = 0;

function numberOf(machine: object): number {
  const number = numbers.get(machine) ?? ++drawn;
  numbers.set(machine, number);
  return number;
}

function stampOfPolicies(policies: readonly Configured[]): string {
  return JSON.stringify(policies.map(({ policy: { machine }, options }) => [numberOf(machine), options]));
}
