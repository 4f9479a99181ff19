/**
 * Makes what the plugin ships: plugin/dist. No build step is left for a user.
 *
 * `nudgechart.cjs` holds the command line's first step and the first half of a hook. What it imports dynamically becomes
 * a file of its own, so that a tool call loads neither charts nor commands when it needs none.
 *
 * `view/` is the page of the live view, for browsers.
 *
 * `pi.mjs` is the extension of pi, whole in one file: it stays loaded, and pi reads ES modules.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** What is imported, by the words of the import → which file that is. */
const LAZY = {
  './import-module.ts': 'src/commands/inspect/import-module.ts',
  './decide.ts': 'src/commands/decide.ts',
  './decide-on-work.ts': 'src/commands/decide-on-work.ts',
  './program.ts': 'src/program.ts',
  './commands/mcp.ts': 'src/commands/mcp.ts',
  './commands/chart.ts': 'src/commands/chart.ts',
  './commands/view.ts': 'src/commands/view.ts',
};

/** Of these, what imports a module of the user's: there `import()` has to stay. */
const IMPORTING = { 'import-module': 'src/commands/inspect/import-module.ts' };

/** What `nudgechart new` writes, by file name. */
const TEMPLATES = Object.fromEntries(
  readdirSync(new URL('examples/policy', import.meta.url))
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => [file, readFileSync(new URL(`examples/policy/${file}`, import.meta.url), 'utf8')]),
);

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** @type {import('esbuild').Plugin} */
const lazyFiles = {
  name: 'lazy-files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ path, kind }) =>
      kind === 'dynamic-import' && path in LAZY ? { path: `./${nameOf(path)}.cjs`, external: true } : undefined,
    );
  },
};

/**
 * @param {{ write: boolean }} options
 * @returns {Promise<import('esbuild').OutputFile[]>} the output files; none when they were written
 */
export async function bundle({ write }) {
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: import.meta.dirname,
    outdir: 'plugin/dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    define: { NUDGECHART_VERSION: JSON.stringify(version), NUDGECHART_TEMPLATES: JSON.stringify(TEMPLATES) },
    write,
  };
  const lazy = Object.values(LAZY).map((file) => [nameOf(file), file]);
  /** @type {import('esbuild').BuildOptions} */
  const commonJs = { ...common, outExtension: { '.js': '.cjs' }, format: 'cjs' };
  const results = await Promise.all([
    build({
      ...commonJs,
      entryPoints: {
        nudgechart: 'src/cli.ts',
        ...Object.fromEntries(lazy.filter(([name]) => !(name in IMPORTING))),
      },
      // require() instead: starting Node's ES module loader costs more than all our code.
      supported: { 'dynamic-import': false },
      // keep-driving.ts asks for `__dirname` first.
      logOverride: { 'empty-import-meta': 'silent' },
      plugins: [lazyFiles],
    }),
    build({ ...commonJs, entryPoints: IMPORTING }),
    build({ ...common, entryPoints: { pi: 'src/pi.ts' }, outExtension: { '.js': '.mjs' }, format: 'esm' }),
    build(pageOfView(common)),
  ]);
  return results.flatMap(({ outputFiles }) => outputFiles ?? []);
}

/**
 * @param {import('esbuild').BuildOptions} common
 * @returns {import('esbuild').BuildOptions}
 */
function pageOfView(common) {
  const folder = 'src/view/page';
  return {
    ...common,
    entryPoints: [
      { in: `${folder}/index.html`, out: 'index' },
      { in: `${folder}/main.tsx`, out: 'view' },
      { in: `${folder}/page.css`, out: 'view' },
    ],
    outdir: `${common.outdir}/view`,
    loader: { '.html': 'copy' },
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  };
}

/** @param {string} file */
function nameOf(file) {
  return file.replace(/^.*\//, '').replace(/\.ts$/, '');
}

if (process.argv[1] === import.meta.filename) await bundle({ write: true });
