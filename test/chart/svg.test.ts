/** The picture: well-formed, self-contained, the same everywhere, and with hooks for a page that lights it. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { inboxMachine, policies } from '../../machines/index.ts';
import { chartOf } from '../../src/chart/chart.ts';
import { chartStyle } from '../../src/chart/chart-style.ts';
import { drawSvg } from '../../src/chart/svg.ts';
import { tempDir } from '../support/temp-dir.ts';
import { hardMachines } from './hard-machines.ts';
import { allIn, classesOf, parseXml } from './markup.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const everything: [string, AnyStateMachine][] = [
  ...policies.map(({ machine }): [string, AnyStateMachine] => [machine.id, machine]),
  ...Object.entries(hardMachines),
];

describe.each(everything)('the picture of %s', (_, machine) => {
  const chart = chartOf(machine);
  const svg = drawSvg(chart);
  const root = parseXml(svg);
  const elements = allIn(root);
  const withClass = (name: string) => elements.filter((one) => classesOf(one).includes(name));

  it('is one SVG with a title, a description and a size', () => {
    expect(root).toMatchObject({
      name: 'svg',
      attributes: { xmlns: 'http://www.w3.org/2000/svg', class: 'nudgechart-chart', role: 'img' },
    });
    expect(root.children.slice(0, 2).map(({ name }) => name)).toEqual(['title', 'desc']);
    expect(root.attributes['viewBox']).toMatch(/^0 0 \d+ \d+$/);
  });

  it('needs nothing else, and runs nothing', () => {
    const names = new Set(elements.map(({ name }) => name));
    expect([...names].filter((name) => !/^(svg|title|desc|style|g|rect|path|circle|text|tspan)$/.test(name))).toEqual(
      [],
    );
    const attributes = new Set(elements.flatMap((one) => Object.keys(one.attributes)));
    const known =
      /^(xmlns|class|role|viewBox|width|height|x|y|rx|r|cx|cy|d|transform|data-(state|from|to|event|guard))$/;
    expect([...attributes].filter((name) => !known.test(name))).toEqual([]);
    expect(svg).not.toMatch(/@import|@font-face|url\(/);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
  });

  it('has numbers that are finite and short', () => {
    const numbers = elements.flatMap(({ attributes }) =>
      ['x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'd', 'transform', 'viewBox'].flatMap(
        (name) => attributes[name] ?? [],
      ),
    );
    for (const number of numbers) expect(number).toMatch(/^[MLQHVhlvz, ()a-z\d.-]*$/);
    expect(numbers.join(' ')).not.toMatch(/NaN|Infinity|undefined|\d\.\d\d|-0(?![.\d])/);
  });

  it('has every state, and every transition with where it leads', () => {
    const states = withClass('state').map(({ attributes }) => attributes['data-state']);
    expect(states.filter((state) => state !== '').sort()).toEqual(
      chart.states
        .map(({ path: one }) => one)
        .map(visibly)
        .sort(),
    );
    const drawn = withClass('transition').map(({ attributes }) => [
      attributes['data-from'],
      attributes['data-to'],
      attributes['data-event'],
      attributes['data-guard'] ?? null,
    ]);
    const wanted = chart.transitions.flatMap(({ source, targets, event, guard }) =>
      (targets.length === 0 ? [source] : targets).map((to) =>
        [source, to, event, guard].map((name) => (name === null ? null : visibly(name))),
      ),
    );
    expect(drawn.map((one) => JSON.stringify(one)).sort()).toEqual(wanted.map((one) => JSON.stringify(one)).sort());
  });

  it('is the same once more, and without its style but for that', () => {
    expect(drawSvg(chart)).toBe(svg);
    expect(svg.replace(/<style>[\s\S]*<\/style>\n/, '')).toBe(drawSvg(chart, { style: false }));
  });
});

/** XML has no place for these, not even as references. */
function visibly(raw: string): string {
  return raw.replaceAll('\u0000', '\\u0000').replaceAll('\ud800', '\\ud800');
}

it('says each thing that a chart has', () => {
  const root = parseXml(drawSvg(chartOf(inboxMachine)));
  const words = allIn(root)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
  for (const text of [
    'inbox',
    'Unread mail: announced once',
    'waiting',
    'No unread mail.',
    'turn.ended',
    '[isCompleted]',
  ]) {
    expect(words).toContain(text);
  }
  expect(words).toContain('nudge');
  const [tip] = allIn(root).filter(({ text }) => text === 'The agent is about to stop: tell it, and let it go on.');
  expect(tip?.name).toBe('title');
});

it('shows nothing that hides or reorders, whatever it is called', () => {
  const svg = drawSvg(chartOf(hardMachines['hostile'] ?? expect.fail()));
  const shown = allIn(parseXml(svg))
    .map(({ text }) => text)
    .join('');
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(shown).toContain('\\u202eevil');
});

describe('the style', () => {
  it('is for both colour schemes, and for nothing outside the picture', () => {
    expect(chartStyle).toContain('@media (prefers-color-scheme: dark)');
    const selectors = chartStyle.match(/[^{};]+(?=\{)/g) ?? [];
    for (const selector of selectors.map((one) => one.trim()).filter((one) => !one.startsWith('@'))) {
      for (const part of selector.split(',')) expect(part.trim()).toMatch(/^\.nudgechart-chart\b/);
    }
    expect(chartStyle).not.toMatch(/<|&|url\(|@import|!important/);
  });

  it('tells a lit state and a taken transition by more than colour', () => {
    const rules = [...chartStyle.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, selector = '']) =>
      /lit|taken/.test(selector),
    );
    const bodies = rules.map(([, , body]) => body).join(' ');
    for (const property of ['stroke-width', 'font-weight', 'display']) expect(bodies).toContain(property);
  });
});

it('is the same in another process', async () => {
  const script = path.join(tempDir(), 'draw.cjs');
  await build({
    stdin: {
      contents: `import { policies } from './machines/index.ts';
        import { chartOf } from './src/chart/chart.ts';
        import { drawSvg } from './src/chart/svg.ts';
        process.stdout.write(policies.map(({ machine }) => drawSvg(chartOf(machine))).join(''));`,
      resolveDir: ROOT,
    },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    outfile: script,
  });
  const elsewhere = execFileSync(process.execPath, [script], {
    encoding: 'utf8',
    env: { LANG: 'tr_TR', TZ: 'Asia/Tokyo' },
  });
  expect(elsewhere).toBe(policies.map(({ machine }) => drawSvg(chartOf(machine))).join(''));
});

it('an effect stands out by its name alone', () => {
  const effects = policies
    .flatMap(({ machine }) => allIn(parseXml(drawSvg(chartOf(machine)))))
    .filter((one) => classesOf(one).includes('effect'))
    .map(({ text }) => text);
  expect(new Set(effects)).toEqual(new Set(['nudge', 'askWork', 'record']));
});
