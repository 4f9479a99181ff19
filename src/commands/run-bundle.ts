/** A policy's module, brought to life from its text: nothing but Node's own modules is within its reach. */
import path from 'node:path';
import vm from 'node:vm';
import { NudgechartError } from '../core/errors.ts';

/** As CommonJS wraps a module; and a console that can't write between a hook's answer. */
const NAMES = ['exports', 'require', 'module', '__filename', '__dirname', 'console'] as const;

/**
 * @param file where it lies, for messages
 * @returns what it exports
 * @throws whatever it throws
 */
export function runBundle(text: string, file: string): unknown {
  const module = { exports: {} as unknown };
  const run = vm.compileFunction(text, NAMES, { filename: file });
  run.call(module.exports, module.exports, builtIn, module, file, path.dirname(file), quietConsole());
  return module.exports;
}

function builtIn(name: string): unknown {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw new NudgechartError(
    'POLICY_INVALID',
    `it asks for ${JSON.stringify(name)} while it runs`,
    'import it in the policy’s file, so that it is bundled',
  );
}

/** stdout is a host's: what a policy prints goes to stderr, when somebody wants to see it. */
function quietConsole(): Console {
  if (process.env['NUDGECHART_LOG'] === '1') return new console.Console(process.stderr, process.stderr);
  return new Proxy(console, { get: () => () => {} });
}
