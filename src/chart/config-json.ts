/** A machine’s own config as JSON, to be given back to `createMachine`. */
import type { AnyStateMachine } from 'xstate';
import { plainConfig } from './plain-config.ts';

/** Ends with a line end. Guards and actions by name; functions are left out: implementations are given anew. */
export function configJson(machine: AnyStateMachine): string {
  return `${JSON.stringify(plainConfig(machine), null, 2)}\n`;
}
