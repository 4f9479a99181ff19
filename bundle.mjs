/**
 * Makes what the plugin ships: plugin/dist/*.cjs. No build step is left for a user.
 *
 * `nudgechart.cjs` holds the command line's first step and the first half of a hook. What it imports dynamically becomes
 * a file of its own, so that a tool call loads neither charts nor commands when it needs none.
 */
import { build } from 'esbuild';

const LAZY = { './decide.ts': 'src/commands/decide.ts', './program.ts': 'src/program.ts' };

const lazyFiles = {
  name: 'lazy-files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ path, kind }) =>
      kind === 'dynamic-import' && path in LAZY ? { path: path.replace(/\.ts$/, '.cjs'), external: true } : undefined,
    );
  },
};

/** @param {{ write: boolean }} options @returns the output files, with their contents */
export async function bundle({ write }) {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: {
      nudgechart: 'src/cli.ts',
      ...Object.fromEntries(Object.values(LAZY).map((file) => [nameOf(file), file])),
    },
    outdir: 'plugin/dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    // require() instead: starting Node's ES module loader costs more than all our code.
    supported: { 'dynamic-import': false },
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    plugins: [lazyFiles],
    write,
    metafile: false,
  });
  return outputFiles ?? [];
}

function nameOf(file) {
  return file.replace(/^.*\//, '').replace(/\.ts$/, '');
}

if (process.argv[1] === import.meta.filename) await bundle({ write: true });
