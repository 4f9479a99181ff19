/** The registry, in the order in which texts are joined: one line per policy. */
import type { AnyPolicy } from '../src/core/policy.ts';
import { delegationPolicy } from './delegation.machine.ts';
import { inboxPolicy } from './inbox.machine.ts';
import { taskPolicy } from './task.machine.ts';

export const policies: readonly AnyPolicy[] = [inboxPolicy, taskPolicy, delegationPolicy];

export { delegationMachine, delegationPolicy } from './delegation.machine.ts';
export { inboxMachine, inboxPolicy } from './inbox.machine.ts';
export { taskMachine, taskPolicy } from './task.machine.ts';
