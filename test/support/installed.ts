/** nudgechart as somebody has it who has installed it: the package's own files in a node_modules, its dependencies beside it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '../../bundle.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Builds from these sources what `npm pack` would take, and puts it into the folder's `node_modules`. Nothing is fetched:
 * what it depends on, vitest and esbuild are links.
 * @returns the program
 */
export async function installInto(folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, 'nudgechart');
  const program = path.join(own, 'plugin/dist/nudgechart.cjs');
  fs.mkdirSync(path.dirname(program), { recursive: true });
  for (const { path: file, contents } of await bundle({ write: false })) {
    fs.writeFileSync(path.join(path.dirname(program), path.basename(file)), contents);
  }
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const built = spawnSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', path.join(own, 'dist')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the library can't be built: ${built.stdout}`);
  for (const file of ['package.json', 'plugin/skills', 'docs', 'examples']) {
    fs.cpSync(path.join(ROOT, file), path.join(own, file), { recursive: true });
  }
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), 'vitest', 'esbuild']) {
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  return program;
}
