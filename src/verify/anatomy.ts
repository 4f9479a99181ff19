/** A chart's parts by name: what it handles, which transitions and states it declares. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';

export type AnyTransition = ReturnType<AnyStateMachine['getTransitionData']>[number];

/** Types of events that some state of the chart handles. */
export function handledTypes(machine: AnyStateMachine): string[] {
  return [...new Set(nodesOf(machine.root).flatMap((node) => [...node.transitions.keys()]))];
}

/** All states but the chart itself. */
export function statesOf(machine: AnyStateMachine): AnyStateNode[] {
  return nodesOf(machine.root).slice(1);
}

/** Every transition that is declared, with a name: `nudged on tool.finished`, and which one of several. */
export function transitionsOf(machine: AnyStateMachine): Map<AnyTransition, string> {
  const named = nodesOf(machine.root).flatMap((node) => {
    const groups = [...node.transitions, ...(node.always === undefined ? [] : [['always', node.always] as const])];
    return groups.flatMap(([type, all]) => all.map((one, i) => [one, nameOf(node, type, i, all.length)] as const));
  });
  return new Map(named);
}

function nameOf(node: AnyStateNode, type: string, place: number, count: number): string {
  const where = node.parent === undefined ? 'any state' : pathOf(node);
  return `${where} on ${type}${count > 1 ? ` #${place + 1}` : ''}`;
}

/** `working.alone` */
export function pathOf(node: AnyStateNode): string {
  return node.path.join('.');
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}
