/**
 * The registry, in the order in which texts are joined: one line per policy. News comes first, then what is owed to
 * others: progress, answers, workers to be driven, own work to be closed, which a session that drives others must not do
 * before.
 */
import type { AnyPolicy } from '../src/core/policy.ts';
import { closePolicy } from './close.machine.ts';
import { delegationPolicy } from './delegation.machine.ts';
import { inboxPolicy } from './inbox.machine.ts';
import { questionPolicy } from './question.machine.ts';
import { settlePolicy } from './settle.machine.ts';
import { stalledPolicy } from './stalled.machine.ts';
import { taskPolicy } from './task.machine.ts';

export const policies: readonly AnyPolicy[] = [
  inboxPolicy,
  taskPolicy,
  questionPolicy,
  stalledPolicy,
  settlePolicy,
  closePolicy,
  delegationPolicy,
];

export { closeMachine, closePolicy } from './close.machine.ts';
export { delegationMachine, delegationPolicy } from './delegation.machine.ts';
export { inboxMachine, inboxPolicy } from './inbox.machine.ts';
export { questionMachine, questionPolicy } from './question.machine.ts';
export { settleMachine, settlePolicy } from './settle.machine.ts';
export { stalledMachine, stalledPolicy } from './stalled.machine.ts';
export { taskMachine, taskPolicy } from './task.machine.ts';
