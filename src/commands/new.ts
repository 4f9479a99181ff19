/** `nudgechart new <name>`: a policy with its tests, ready to be changed. It passes them, and `verify`, as it is. */
import fs from 'node:fs';
import path from 'node:path';
import { defineCommand } from 'citty';
import { POLICY_NAME } from '../../adapters/store/added-policies.ts';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import { BUILT_IN } from './settings.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { table } from './table.ts';

/** Put in by bundle.mjs, from examples/policy. */
declare const NUDGECHART_TEMPLATES: Readonly<Record<string, string>> | undefined;

/** What the policy in the template is called, wherever its name stands. */
const TEMPLATE = 'checkpoint';

function templates(): Readonly<Record<string, string>> {
  if (typeof NUDGECHART_TEMPLATES === 'object') return NUDGECHART_TEMPLATES;
  const folder = path.resolve(import.meta.dirname, '../../examples/policy');
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
}

/**
 * Writes three files, or none.
 * @throws NudgechartError `ARGUMENT_INVALID` for a name that no policy can have, and when one of the files is there; Node's
 * error when they can't be written
 */
export function writePolicy(name: string, { cwd, out }: Surroundings): void {
  checkName(name);
  const folder = cwd ?? '.';
  const files = Object.entries(templates()).map(([file, text]) => ({
    file: renamed(file, name),
    text: renamed(text, name),
  }));
  const there = files.find(({ file }) => fs.existsSync(path.join(folder, file)));
  if (there !== undefined) {
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `${there.file} is there already`,
      'give another name, or move it away',
    );
  }
  for (const { file, text } of files) fs.writeFileSync(path.join(folder, file), text, { flag: 'wx' });
  out([...files.map(({ file }) => `wrote ${file}`), '', ...nextSteps(name)].join('\n'));
}

function checkName(name: string): void {
  if (POLICY_NAME.test(name) && !(name in {}) && !BUILT_IN.has(name)) return;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    BUILT_IN.has(name) ? `${name} is a built-in policy` : `${quote(name).text} is no name for a policy`,
    'give another one: up to 32 small letters, digits and hyphens, a letter first',
  );
}

/** `long-pause` in texts and file names, `longPause` in names of things. */
function renamed(text: string, name: string): string {
  const word = name.replace(/-+(.?)/g, (_, letter: string) => letter.toUpperCase());
  return text
    .replaceAll(new RegExp(`\\b${TEMPLATE}(?=Machine\\b|Policy\\b)`, 'g'), word)
    .replaceAll(new RegExp(`\\b${TEMPLATE}\\b`, 'g'), name);
}

function nextSteps(name: string): string[] {
  const steps = table([
    ['  npm install --save-dev nudgechart xstate zod vitest esbuild', 'what it needs, if it is not there yet'],
    [`  npx vitest run ${name}`, 'its tests pass: change them first, then the chart'],
    [`  npx nudgechart verify ./${name}.machine.ts`, 'can it trap an agent?'],
    [`  npx nudgechart add ./${name}.machine.ts`, 'then hooks run it'],
  ]);
  return ['next:', ...steps];
}

export const newCommand = defineCommand({
  meta: { name: 'new', description: 'Writes a policy with its tests into this folder, to be changed.' },
  args: { name: { type: 'positional', description: 'What it is called, for example pause', required: true } },
  run: ({ args: { name } }) => writePolicy(name, surroundings()),
});
