/** `nudgechart chart [policy|file]`: a chart as a picture or as text, on stdout or as files. */
import fs from 'node:fs';
import path from 'node:path';
import { defineCommand } from 'citty';
import { nodeFiles } from '../../adapters/store/files.ts';
import { policies } from '../../machines/index.ts';
import { chartOf } from '../chart/chart.ts';
import { configJson } from '../chart/config-json.ts';
import { mermaidText } from '../chart/mermaid.ts';
import { statelyText } from '../chart/stately.ts';
import { drawSvg } from '../chart/svg.ts';
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { policyOrFile } from './policy-or-file.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { visible } from './table.ts';

type Machine = AnyPolicy['machine'];

/** By format: how a file of it ends, and its text. */
const FORMATS: Readonly<Record<string, { ending: string; text: (machine: Machine) => string }>> = {
  mermaid: { ending: '.mmd', text: (machine) => mermaidText(chartOf(machine)) },
  svg: { ending: '.svg', text: (machine) => drawSvg(chartOf(machine)) },
  json: { ending: '.json', text: configJson },
  stately: { ending: '.stately.ts', text: statelyText },
};

export interface ChartCommandOptions {
  /** A policy's name, built in or added, or a file with one. Left out: all built-in ones, which needs `out`. */
  readonly what?: string | undefined;
  /** Left out: Mermaid on stdout, all of them as files. */
  readonly format?: string | undefined;
  /** A folder to write files into; it is made if it is missing. */
  readonly out?: string | undefined;
}

/**
 * Prints one text, or writes `<policy>.mmd`, `.svg`, `.json` and `.stately.ts` and says so.
 * @throws NudgechartError `ARGUMENT_INVALID` for a name that nothing has, an unknown format, and a folder that can't be
 * written; `POLICY_INVALID` for a file without a policy, and for a chart whose name is no file name
 */
export async function runChart(
  { what, format, out: folder }: ChartCommandOptions,
  { out, env }: Pick<Surroundings, 'out' | 'env'>,
  builtIn: readonly AnyPolicy[] = policies,
): Promise<void> {
  const formats = format === undefined ? Object.keys(FORMATS) : [known(format)];
  if (what === undefined && folder === undefined) throw severalAtOnce(builtIn, format);
  const meant = what === undefined ? builtIn : [(await policyOrFile(what, builtIn, env)).policy];
  if (folder !== undefined) return out(written(meant, formats, folder).join('\n'));
  for (const { machine } of meant) out(FORMATS[format ?? 'mermaid']?.text(machine).trimEnd() ?? '');
}

function known(format: string): string {
  if (Object.hasOwn(FORMATS, format)) return format;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `there is no format ${quote(format).text}`,
    `give one of ${Object.keys(FORMATS).join(', ')}`,
  );
}

function severalAtOnce(builtIn: readonly AnyPolicy[], format: string | undefined): NudgechartError {
  const [first] = builtIn;
  const named =
    first === undefined
      ? ''
      : `nudgechart chart ${first.machine.id}${format === undefined ? '' : ` --format ${format}`}`;
  return new NudgechartError(
    'ARGUMENT_INVALID',
    'stdout has room for one chart, and no policy is named',
    `run ${named}, or nudgechart chart --out <folder> for files of all of them: ${builtIn.map(({ machine }) => machine.id).join(', ')}`,
  );
}

/** @returns what was written, a line each */
function written(meant: readonly AnyPolicy[], formats: readonly string[], folder: string): string[] {
  const files = meant.flatMap(({ machine }) => formats.map((format) => fileOf(machine, format)));
  try {
    nodeFiles.makeFolders(folder);
    return files.map(({ name, text }) => {
      const file = path.join(folder, name);
      fs.writeFileSync(file, text);
      return `wrote ${file}`;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `${quote(folder).text} can’t be written: ${reason}`,
      'give a folder of yours with --out',
      error,
    );
  }
}

/** A chart’s own name is somebody’s text: only a plain one becomes the name of a file. */
function fileOf(machine: Machine, format: string): { name: string; text: string } {
  const { ending = '', text = () => '' } = FORMATS[format] ?? {};
  if (/^[A-Za-z][\w-]{0,63}$/.test(machine.id)) return { name: machine.id + ending, text: visible(text(machine)) };
  throw new NudgechartError(
    'POLICY_INVALID',
    `its machine is called ${quote(machine.id).text}, which is no name for a file`,
    'give the machine an id of letters, digits and hyphens, or leave --out away',
  );
}

export const chart = defineCommand({
  meta: { name: 'chart', description: 'Shows a policy’s chart: Mermaid, SVG, JSON, or code for Stately Studio.' },
  args: {
    policy: {
      type: 'positional',
      description: 'A policy, built in or added, or a file with one; all built-in ones if left out, with --out',
      required: false,
    },
    format: { type: 'string', description: 'mermaid (if left out), svg, json or stately' },
    out: { type: 'string', description: 'A folder to write files into: of every format, unless --format is given' },
  },
  run: ({ args }) => runChart({ what: args.policy, format: args.format, out: args.out }, surroundings()),
});
