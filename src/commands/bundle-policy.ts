/**
 * One CommonJS module out of a policy's file and all that it imports, libraries included: it runs wherever nudgechart does,
 * also where nothing is installed. TypeScript is taken too.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Esbuild from 'esbuild';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import { findLibrary, programFolder } from './optional-library.ts';

export interface Bundled {
  readonly text: string;
  /** The file that it begins with, a whole path. */
  readonly entry: string;
  /** That file and those that it brings along, but no other package's. Whole paths. */
  readonly sources: readonly string[];
}

/**
 * @param what a file, relative to `cwd` or absolute, else the name of a package that is installed there
 * @throws NudgechartError `ARGUMENT_INVALID` when there is no such file and no such package, `POLICY_INVALID` when it can't
 * be bundled, also because esbuild isn't there
 */
export async function bundlePolicy(what: string, cwd: string): Promise<Bundled> {
  const file = path.resolve(cwd, what);
  const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !isPackageName(what)) throw missing(what);
  const esbuild = findEsbuild(isFile ? file : path.join(cwd, 'here.js'));
  if (esbuild === null) throw withoutEsbuild(what);
  try {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [isFile ? file : what],
      absWorkingDir: cwd,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      minify: true,
      legalComments: 'none',
      metafile: true,
      write: false,
      logLevel: 'silent',
      // What isn't installed beside the policy may be installed with us.
      nodePaths: librariesOfOurs(),
      plugins: [ourselves],
    });
    const [output] = Object.values(metafile.outputs);
    const entry = path.resolve(cwd, output?.entryPoint ?? file);
    const inputs = Object.keys(output?.inputs ?? {}).map((input) => path.resolve(cwd, input));
    return { text: outputFiles[0]?.text ?? '', entry, sources: inputs.filter((input) => belongsTo(entry, input)) };
  } catch (error) {
    if (!isFile && reasonOf(error).startsWith('Could not resolve')) throw missing(what, error);
    throw new NudgechartError(
      'POLICY_INVALID',
      `${quote(what).text} can’t be bundled: ${reasonOf(error)}`,
      'correct it, or install what it imports',
      error,
    );
  }
}

function isPackageName(what: string): boolean {
  return /^(@[\w.-]+\/)?[\w-][\w.-]*(\/[\w.-]+)*$/.test(what) && !/\.[cm]?[jt]s$/.test(what);
}

function missing(what: string, cause?: unknown): NudgechartError {
  return new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no file and no installed package ${quote(what).text}`,
    'give the path of a policy, for example ./pause.machine.ts',
    cause,
  );
}

function withoutEsbuild(what: string): NudgechartError {
  return new NudgechartError(
    'POLICY_INVALID',
    `${quote(what).text} has to be bundled, and esbuild is not installed`,
    'run npm install --save-dev esbuild in the policy’s project, then try again',
  );
}

/** What esbuild says of the first fault, with its place. */
function reasonOf(error: unknown): string {
  const [first] = (error as Partial<Esbuild.BuildFailure> | null)?.errors ?? [];
  if (first === undefined) return error instanceof Error ? error.message : String(error);
  const { location } = first;
  return `${first.text}${location === null ? '' : ` (${path.basename(location.file)}:${location.line})`}`;
}

/** That of the policy's own project, else one beside this program; null: there is none. */
export function findEsbuild(file: string): typeof Esbuild | null {
  const found = findLibrary('esbuild', file);
  return found === null ? null : createRequire(found)(found);
}

/** The package that this program is part of: bundles and sources lie two folders below it. */
function ourPackage(): string {
  return path.resolve(programFolder(), '..', '..');
}

function librariesOfOurs(): string[] {
  return [path.join(ourPackage(), 'node_modules'), path.dirname(ourPackage())].filter(
    (folder) => path.basename(folder) === 'node_modules',
  );
}

/** `import … from 'nudgechart'` where it isn't installed means the one that is running. */
const ourselves: Esbuild.Plugin = {
  name: 'ourselves',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^nudgechart(\/|$)/ }, async ({ path: wanted, resolveDir, kind, pluginData }) => {
      if (pluginData === ourselves) return undefined;
      const theirs = await resolve(wanted, { resolveDir, kind, pluginData: ourselves });
      const ours = theirs.errors.length > 0 ? ownModule(wanted) : null;
      return ours === null ? theirs : { path: ours, sideEffects: false };
    });
  },
};

/** The built file that our package exports under this name, or its source where nothing has been built. */
function ownModule(wanted: string): string | null {
  try {
    const { name, exports } = JSON.parse(fs.readFileSync(path.join(ourPackage(), 'package.json'), 'utf8'));
    const built: unknown = name === 'nudgechart' ? exports[wanted.replace(name, '.')]?.default : undefined;
    if (typeof built !== 'string') return null;
    const source = built.replace('./dist/', './').replace(/\.js$/, '.ts');
    const found = [source, built].map((file) => path.join(ourPackage(), file)).find((file) => fs.existsSync(file));
    return found ?? null;
  } catch {
    return null;
  }
}

function belongsTo(entry: string, input: string): boolean {
  const isOurs = ['src', 'dist', 'machines', 'adapters'].some((folder) =>
    input.startsWith(path.join(ourPackage(), folder) + path.sep),
  );
  return !isOurs && packageOf(input) === packageOf(entry);
}

/** The folder of an installed package, empty for what isn't installed. */
function packageOf(file: string): string {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? '';
}
