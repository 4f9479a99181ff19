/** A chart as Mermaid’s `stateDiagram-v2`, as GitHub and many editors show it. */
import { type Chart, type ChartState, type ChartTransition, remark } from './chart.ts';
import { grouped } from './grouped.ts';
import { leaves } from './sketch.ts';
import { shown } from './text-width.ts';

interface Drawing {
  /** By path. */
  readonly ids: ReadonlyMap<string, string>;
  readonly inner: ReadonlyMap<string, readonly ChartState[]>;
  readonly within: ReadonlyMap<string, readonly ChartTransition[]>;
}

/** What happens in whatever state has a place of its own. */
const ANYWHERE = 'any_state';

/** Ends with a line end; the same for the same chart. What leads to no other state is a line in its state. */
export function mermaidText(chart: Chart): string {
  const drawing = {
    ids: idsOf(chart),
    inner: grouped(chart.states, ({ parent }) => parent ?? ''),
    within: grouped(
      chart.transitions.filter((one) => !leaves(one)),
      ({ source }) => source,
    ),
  };
  const hasAnywhere = chart.transitions.some(({ source }) => source === '') || chart.root.entry.length > 0;
  const lines = [
    `accTitle: ${plain(chart.id)}`,
    ...(chart.description === '' ? [] : [`accDescr: ${plain(chart.description)}`]),
    ...(hasAnywhere ? box(ANYWHERE, 'in any state', body({ ...chart.root, description: '', tags: [] }, drawing)) : []),
    ...contents(chart.root, drawing),
    ...chart.transitions.filter(leaves).flatMap((transition) => arrows(transition, drawing)),
  ];
  return `stateDiagram-v2\n${indented(lines).join('\n')}\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The states in one, and the one that is entered first. */
function contents(around: ChartState, drawing: Drawing): string[] {
  const states = (drawing.inner.get(around.path) ?? []).map((state) => stateLines(state, drawing));
  const separator = around.kind === 'parallel' && around.parent !== null ? ['--'] : [];
  const first = around.initial === null ? [] : [`[*] --> ${drawing.ids.get(around.initial)}`];
  return [...first, ...states.flatMap((lines, place) => (place === 0 ? lines : [...separator, ...lines]))];
}

function stateLines(state: ChartState, drawing: Drawing): string[] {
  const id = drawing.ids.get(state.path) ?? '';
  const said = body(state, drawing);
  const inner = contents(state, drawing);
  if (inner.length === 0) return [...box(id, state.name, said), ...(state.kind === 'final' ? [`${id} --> [*]`] : [])];
  // A state with others in it has room for its name only.
  const note = said.length === 0 ? [] : [`note right of ${id}`, ...indented(said), 'end note'];
  return [`state "${text(state.name)}" as ${id} {`, ...indented(inner), '}', ...note];
}

function box(id: string, name: string, said: readonly string[]): string[] {
  return [`state "${text(name) || '(no name)'}" as ${id}`, ...said.map((line) => `${id} : ${line}`)];
}

function body(state: ChartState, { within }: Drawing): string[] {
  const marks = [...(state.kind === 'history' ? ['history'] : []), ...state.tags].map(text);
  const work = { entry: state.entry, exit: state.exit, runs: state.invokes };
  return [
    ...(state.description === '' ? [] : [text(state.description)]),
    ...(marks.length === 0 ? [] : [`(${marks.join(', ')})`]),
    ...Object.entries(work).flatMap(([when, names]) => (names.length === 0 ? [] : [`${when} ${deed(names)}`])),
    ...(within.get(state.path) ?? []).map(label),
  ];
}

function arrows(transition: ChartTransition, { ids }: Drawing): string[] {
  const { source, targets, description } = transition;
  const from = source === '' ? ANYWHERE : ids.get(source);
  const comment = description === '' ? [] : [`%% ${plain(description)}`];
  return [...comment, ...targets.map((target) => `${from} --> ${ids.get(target) ?? ANYWHERE} : ${label(transition)}`)];
}

/** `event [guard] / actions` */
function label(transition: ChartTransition): string {
  const { label: event, guard, actions } = transition;
  const parts = [text(event), guard === null ? '' : `[${text(guard)}]`, deed(actions), remark(transition)];
  return parts.filter((part) => part !== '').join(' ');
}

function deed(names: readonly string[]): string {
  return names.length === 0 ? '' : `/ ${names.map(text).join(', ')}`;
}

/** Words that begin something else than a state’s name, in any case of letters. */
const RESERVED = new Set(
  'accdescr acctitle as choice class classdef click default direction end fork hide href join note scale state statediagram style title'.split(
    ' ',
  ),
);

/** A state’s own name where Mermaid can take it, else a number. What every object has, like `constructor`, it can’t take. */
function idsOf({ states }: Chart): Map<string, string> {
  const taken = new Set([ANYWHERE]);
  return new Map(
    states.map(({ path, name }, place) => {
      const isPlain =
        /^[A-Za-z]\w*$/.test(name) && !RESERVED.has(name.toLowerCase()) && !(name in {}) && !taken.has(name);
      const id = isPlain ? name : `state_${place + 1}`;
      taken.add(id);
      return [path, id];
    }),
  );
}

/** Whatever Mermaid might take for its own, or a browser for markup, as the number of its code point. */
function text(raw: string): string {
  return shown(raw).replace(/[^\p{L}\p{N} .,()/'’!?…&|=+*_–-]/gu, (character) => `#${character.codePointAt(0)};`);
}

/** For places where Mermaid reads no such numbers. */
function plain(raw: string): string {
  return shown(raw)
    .replace(/[#;%{}<>]/g, ' ')
    .trim();
}
