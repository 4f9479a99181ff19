/** Faults that a person can do something about. */

export type ErrorCode =
  | 'ARGUMENT_INVALID'
  | 'CONFLICT_PERSISTS'
  | 'LIBRARY_MISSING'
  | 'MAILBOX_FULL'
  | 'PAYLOAD_UNREADABLE'
  | 'PAYLOAD_UNRECOGNISED'
  | 'PEER_AMBIGUOUS'
  | 'PEER_UNKNOWN'
  | 'POLICY_INVALID'
  | 'ROOT_REFUSED'
  | 'ROOT_UNKNOWN'
  | 'SESSION_INVALID'
  | 'STATE_TOO_NEW'
  | 'STATE_UNREADABLE'
  | 'TASK_AMBIGUOUS'
  | 'TASK_UNKNOWN'
  | 'TIME_OUT';

/**
 * One fault: `code` for programs, the message for people, `nextStep` for what to do about it.
 * Three borders translate it: a hook counts it and stays silent, a command prints it and exits 1 or 2, the server
 * answers `isError`.
 */
export class NudgechartError extends Error {
  readonly code: ErrorCode;
  readonly nextStep: string;

  constructor(code: ErrorCode, message: string, nextStep: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NudgechartError';
    this.code = code;
    this.nextStep = nextStep;
  }
}

/** As `instanceof` says it, also where the fault comes from another bundle of ours, which has a class of its own. */
export function isNudgechartError(error: unknown): error is NudgechartError {
  return error instanceof Error && error.name === 'NudgechartError' && 'nextStep' in error && 'code' in error;
}
