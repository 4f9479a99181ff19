/**
 * Stately's published parser. It is made for XState 4, of which it calls a few action creators for code that none of our
 * charts has: it gets stand-ins for them, so that it can be loaded beside XState 5.
 */
import { createRequire } from 'node:module';
import type { FileExtractResult, MachineExtractResult } from '@xstate/machine-extractor';
import { build, type Plugin } from 'esbuild';
import { type AnyStateMachine, createMachine } from 'xstate';

const CREATORS =
  'after cancel done escalate log pure raise respond sendParent sendUpdate start stop choose assign send';

const standIns: Plugin = {
  name: 'stand-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^xstate\/lib\// }, ({ path }) => ({ path, namespace: 'stand-ins' }));
    onLoad({ filter: /.*/, namespace: 'stand-ins' }, ({ path }) => ({
      contents: path.endsWith('/actions')
        ? `${CREATORS} forwardTo`
            .split(' ')
            .map((name) => `export const ${name} = () => ({});`)
            .join('\n')
        : 'export {};',
    }));
  },
};

let loaded: Promise<(text: string) => FileExtractResult | null> | null = null;

async function load(): Promise<(text: string) => FileExtractResult | null> {
  const { outputFiles } = await build({
    entryPoints: ['@xstate/machine-extractor'],
    absWorkingDir: import.meta.dirname,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
    plugins: [standIns],
  });
  const module: { exports: Record<string, never> } = { exports: {} };
  const [{ text } = { text: '' }] = outputFiles;
  // It warns of parameters that are functions: those it leaves out, the action stays.
  const quiet = { ...console, warn: () => {} };
  const run = new Function('require', 'module', 'exports', 'console', text);
  run(createRequire(import.meta.url), module, module.exports, quiet);
  const extract: unknown = module.exports['extractMachinesFromFile'];
  if (typeof extract !== 'function') throw new Error('the parser has changed');
  return (source) => extract(source);
}

/** The machines that the parser finds in a module's text, as it understands them. */
export async function machinesIn(text: string): Promise<AnyStateMachine[]> {
  loaded ??= load();
  const extract = await loaded;
  return (extract(text)?.machines ?? []).map((found) => createMachine(node(found?.toConfig() ?? {}) as never));
}

type Config = NonNullable<ReturnType<MachineExtractResult['toConfig']>>;
type Transition = NonNullable<Config['always']>;
type Actions = NonNullable<Config['entry']>;

/** What was found, in the words of XState 5. */
function node({
  id,
  initial,
  type,
  history,
  tags,
  description,
  states,
  on,
  after,
  always,
  entry,
  exit,
}: Config): object {
  return {
    ...defined({ id, initial, type, history, tags, description }),
    ...defined({ entry: entry && actions(entry), exit: exit && actions(exit), always: always && transitions(always) }),
    on: mapped(on ?? {}, transitions),
    after: mapped(after ?? {}, transitions),
    ...(states === undefined ? {} : { states: mapped(states, node) }),
  };
}

function transitions(found: Transition): object[] {
  return [found].flat().map(({ target, cond, actions: asked, description }) => ({
    ...defined({ target, description, guard: cond?.type, actions: asked && actions(asked) }),
  }));
}

function actions(found: Actions): (string | undefined)[] {
  return [found].flat().map(({ action }) => ('type' in action ? action.type : undefined));
}

function mapped<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function defined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
