/** What a check has to say. */
import type { Files } from '../../../adapters/store/files.ts';
import type { Env } from '../../../adapters/store/root.ts';
import type { Rule } from '../keep-driving.ts';
import type { ClaudeSettings } from './claude-settings.ts';

export type Check =
  | 'state-folder'
  | 'interval'
  | 'switch'
  | 'policies'
  | 'project'
  | 'keep-driving'
  | 'close'
  | 'registration'
  | 'interlink'
  | 'mu'
  | 'session'
  | 'mail'
  | 'versions'
  | 'failures'
  | 'documents';

/** `note`: fine, but worth knowing. */
export type Verdict = 'ok' | 'note' | 'wrong';

export interface Finding {
  readonly check: Check;
  readonly verdict: Verdict;
  readonly detail: string;
  /** What to do about it, null when there is nothing to do. */
  readonly next: string | null;
}

/** What checks may look at. */
export interface Patient {
  /** As hooks have it: this process's own, with what Claude Code's settings files put over it. */
  readonly env: Env;
  /** This process's own. */
  readonly ownEnv: Env;
  readonly claude: ClaudeSettings;
  readonly files: Files;
  /** Epoch ms. */
  readonly now: number;
  /** Our own version. */
  readonly version: string;
  /** Node's, as `20.16.0`. */
  readonly node: string;
  readonly isRunning: (pid: number) => boolean;
  /** The project that hooks of this place are in, null when there is none. */
  readonly project: string | null;
  /** What orchestrators are told. */
  readonly rule: Rule;
}

/** Every finding of one check. May throw: then that is the finding. */
export type Examine = (patient: Patient) => readonly Finding[];

export function ok(check: Check, detail: string): Finding {
  return { check, verdict: 'ok', detail, next: null };
}

export function note(check: Check, detail: string, next: string | null): Finding {
  return { check, verdict: 'note', detail, next };
}

export function wrong(check: Check, detail: string, next: string): Finding {
  return { check, verdict: 'wrong', detail, next };
}
