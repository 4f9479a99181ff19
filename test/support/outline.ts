/** What a chart is, as plain data to compare: states, transitions, guards, actions and descriptions, without code. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';

export interface Outline {
  readonly id: string;
  readonly nodes: readonly object[];
}

export function outlineOf({ root }: AnyStateMachine): Outline {
  return { id: root.id, nodes: outlined(root) };
}

function outlined(node: AnyStateNode): object[] {
  const own = {
    path: node.path,
    type: node.type,
    initial: node.config.initial ?? null,
    description: node.config.description ?? null,
    tags: node.tags,
    entry: node.entry.map(nameOf),
    exit: node.exit.map(nameOf),
    always: (node.always ?? []).map(transition),
    on: [...node.transitions.values()].flat().map(transition),
  };
  return [own, ...Object.values(node.states).flatMap(outlined)];
}

function transition({
  eventType,
  target,
  guard,
  actions,
  description,
}: AnyStateNode['always'] extends (infer T)[] | undefined ? T : never): object {
  return {
    event: eventType,
    target: (target ?? []).map(({ path }) => path),
    guard: guard === undefined ? null : nameOf(guard),
    actions: actions.map(nameOf),
    description: description ?? null,
  };
}

function nameOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'type' in part ? part.type : part;
}
