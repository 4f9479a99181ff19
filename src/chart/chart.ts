/** What a statechart has to show: its states and transitions as plain data, whatever machine it is. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { actionNames, eventLabel, guardName } from './names.ts';

export interface Chart {
  readonly id: string;
  readonly description: string;
  /** The chart as a whole: the state around all others, with the path `''`. */
  readonly root: ChartState;
  /** All others, each before those within it, as they stand in the machine. */
  readonly states: readonly ChartState[];
  /** Those of a state in the order in which they are tried. */
  readonly transitions: readonly ChartTransition[];
}

export type StateKind = 'atomic' | 'compound' | 'parallel' | 'final' | 'history';

export interface ChartState {
  /** Keys from the outermost in, joined by dots. */
  readonly path: string;
  readonly name: string;
  /** The path of the state around it; null for the chart as a whole. */
  readonly parent: string | null;
  readonly kind: StateKind;
  /** The path of the state that is entered first; null where there is none, or where all are. */
  readonly initial: string | null;
  readonly description: string;
  readonly tags: readonly string[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  /** What runs while the state lasts. */
  readonly invokes: readonly string[];
}

export interface ChartTransition {
  /** The path of the state that declares it. */
  readonly source: string;
  /** Paths; none: the state stays as it is. */
  readonly targets: readonly string[];
  /** As the machine names it, and as a trace does; empty for one that needs no event. */
  readonly event: string;
  /** The same in words for a picture: `always`, `after 1000 ms`. */
  readonly label: string;
  /** In brackets in a picture; null: nothing is asked. */
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly description: string;
  /** The source is left and entered anew, although it stays. */
  readonly reenter: boolean;
}

/** Walks a machine and says what is in it. Nothing is run. */
export function chartOf(machine: AnyStateMachine): Chart {
  const nodes = withInner(machine.root);
  const [root = machine.root, ...inner] = nodes;
  return {
    id: machine.id,
    description: root.description ?? '',
    root: stateOf(root),
    states: inner.map(stateOf),
    transitions: nodes.flatMap(transitionsOf),
  };
}

function withInner(node: AnyStateNode): AnyStateNode[] {
  const inner = Object.values(node.states).sort((a, b) => a.order - b.order);
  return [node, ...inner.flatMap(withInner)];
}

function pathOf({ path, parent }: AnyStateNode): string {
  return path.join('.') || (parent === undefined ? '' : '""');
}

function stateOf(node: AnyStateNode): ChartState {
  const [initial] = node.type === 'compound' ? node.initial.target : [];
  return {
    path: pathOf(node),
    name: node.key,
    parent: node.parent === undefined ? null : pathOf(node.parent),
    kind: node.type,
    initial: initial === undefined ? null : pathOf(initial),
    description: node.description ?? '',
    tags: [...node.tags],
    entry: actionNames(node.entry),
    exit: actionNames(node.exit),
    invokes: node.invoke.map(({ src }) => (typeof src === 'string' ? src : '(inline)')),
  };
}

type Declared = NonNullable<AnyStateNode['always']>[number];

function transitionsOf(node: AnyStateNode): ChartTransition[] {
  const declared: Declared[] = [...(node.always ?? []), ...[...node.transitions.values()].flat()];
  return declared.map(({ target, eventType, guard, actions, description, reenter }) => ({
    source: pathOf(node),
    targets: (target ?? []).map(pathOf),
    event: eventType,
    label: eventLabel(eventType, node),
    guard: guardName(guard),
    actions: actionNames(actions),
    description: description ?? '',
    reenter,
  }));
}

/** What neither an arrow nor an action shows of a transition; mostly nothing. */
export function remark({ source, targets, actions, reenter }: ChartTransition): string {
  if (reenter && targets.some((target) => isIn(target, source))) return '(enters it anew)';
  return targets.length === 0 && actions.length === 0 ? '(does nothing)' : '';
}

function isIn(path: string, around: string): boolean {
  return path === around || around === '' || path.startsWith(`${around}.`);
}
