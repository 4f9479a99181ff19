/** A policy out of somebody's own file. TypeScript and ES modules are bundled first, when esbuild is at hand. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { bundlePolicy, findEsbuild } from './bundle-policy.ts';
import { policyIn } from './exported-policy.ts';
import { withoutLaterFaults } from './later-faults.ts';
import { loadedInTime } from './run-bundle.ts';

const JAVASCRIPT = /\.[cm]?js$/;
const TYPESCRIPT = /\.[cm]?ts$/;

/**
 * Runs the file and returns the policy that it exports: as default, or as its only policy.
 * @param file relative to the working directory, or absolute; `.ts`, `.mts`, `.cts`, `.js`, `.mjs` or `.cjs`
 * @throws NudgechartError `ARGUMENT_INVALID` when there is no such file, `POLICY_INVALID` when it can't be used
 */
export async function loadPolicy(file: string): Promise<AnyPolicy> {
  const whole = path.resolve(file);
  if (!fs.statSync(whole, { throwIfNoEntry: false })?.isFile()) {
    throw new NudgechartError('ARGUMENT_INVALID', `there is no file ${quote(file).text}`, 'give the path of a policy');
  }
  if (!JAVASCRIPT.test(whole) && !TYPESCRIPT.test(whole)) {
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `${quote(file).text} is no JavaScript and no TypeScript`,
      'give a .ts or .js file',
    );
  }
  return policyIn(await modulePut(whole), file);
}

async function modulePut(file: string): Promise<unknown> {
  const isReady = file.endsWith('.cjs');
  const esbuild = isReady ? null : findEsbuild(file);
  try {
    if (isReady || esbuild !== null) {
      const text = isReady ? fs.readFileSync(file, 'utf8') : (await bundlePolicy(file, path.dirname(file))).text;
      const others = isReady ? createRequire(file) : undefined;
      const load = () => loadedInTime(text, file, undefined, others);
      return await withoutLaterFaults(quote(path.basename(file)).text, load);
    }
  } catch (error) {
    throw error instanceof NudgechartError ? error : unusable(file, error);
  }
  if (TYPESCRIPT.test(file)) throw withoutEsbuild(file, undefined);
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    // Where this file is part of a CommonJS bundle, an ES module can't be had without being bundled too.
    if (error instanceof Error && /ERR_REQUIRE_ESM|Cannot find module 'file:/.test(`${error} ${codeIn(error)}`)) {
      throw withoutEsbuild(file, error);
    }
    throw unusable(file, error);
  }
}

function codeIn(error: object): string {
  return 'code' in error ? String(error.code) : '';
}

function withoutEsbuild(file: string, cause: unknown): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    `${quote(path.basename(file)).text} has to be bundled first, and esbuild is not installed`,
    'run npm install --save-dev esbuild in the policy’s project, or give a .cjs file',
    cause,
  );
}

function unusable(file: string, error: unknown): NudgechartError {
  const reason = error instanceof Error ? error.message : String(error);
  return new NudgechartError(
    'POLICY_INVALID',
    `${quote(path.basename(file)).text} can’t be loaded: ${reason}`,
    'correct the file',
    error,
  );
}
