/** A policy's module, brought to life from its text: nothing but Node's own modules is within its reach. */
import path from 'node:path';
import vm from 'node:vm';
import { NudgechartError } from '../core/errors.ts';
import { keepingIntrinsics } from './intrinsics.ts';
import { type PolicyProcess, policyProcess } from './policy-process.ts';
import { withinTime } from './within-time.ts';

/** As CommonJS wraps a module; and a process in which it can't disturb a host. */
const NAMES = [
  ...['exports', 'require', 'module', '__filename', '__dirname'],
  ...['process', 'console', 'setTimeout', 'setInterval', 'setImmediate'],
];

type Require = (name: string) => unknown;

/**
 * @param file where it lies, for messages
 * @param others finds modules that are not Node's own; not given: there are none
 * @returns what it exports
 * @throws whatever it throws
 */
export function runBundle(text: string, file: string, others: Require = noOthers): unknown {
  const module = { exports: {} as unknown };
  const own = policyProcess();
  const { setTimeout, setInterval, setImmediate } = own.timers;
  const run = vm.compileFunction(text, NAMES, { filename: file });
  run.call(
    module.exports,
    ...[module.exports, (name: string) => required(name, own, others), module, file, path.dirname(file)],
    ...[own.process, own.console, setTimeout, setInterval, setImmediate],
  );
  return module.exports;
}

/** A module that does nothing but define things is loaded in a moment. */
const LOADING_MS = 10_000;

/**
 * The same for a module that has not been seen before.
 * @param ms how long it may take
 * @throws also NudgechartError `POLICY_INVALID` when it takes longer, or changes what all code shares
 */
export function loadedInTime(text: string, file: string, ms = LOADING_MS, others?: Require): unknown {
  const name = path.basename(file);
  return withinTime(
    ms,
    () => name,
    () => keepingIntrinsics(name, () => runBundle(text, file, others)),
  );
}

function required(wanted: string, { process: quiet, console, timers }: PolicyProcess, others: Require): unknown {
  const name = wanted.replace(/^node:/, '');
  if (name === 'process') return quiet;
  if (name === 'console') return console;
  const found: unknown = process.getBuiltinModule(wanted);
  if (found === undefined) return others(wanted);
  return name === 'timers' ? { ...(found as object), ...timers } : found;
}

function noOthers(name: string): never {
  throw new NudgechartError(
    'POLICY_INVALID',
    `it asks for ${JSON.stringify(name)} while it runs`,
    'import it in the policy’s file, so that it is bundled',
  );
}
