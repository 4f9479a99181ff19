/** Work between sessions, from either side. */
export { createDelegated } from './delegated.ts';
export { createExecuting } from './executing.ts';
