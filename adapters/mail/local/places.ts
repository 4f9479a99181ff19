/** Where mail lies. Needs no schema library: the hook's first step uses it. */
import path from 'node:path';
import { codeOf, type Files } from '../../store/files.ts';
import { sessionKey } from '../../store/root.ts';

/** A session's mailbox. @throws NudgechartError `SESSION_INVALID` */
export function mailFolder(root: string, session: string): string {
  return path.join(root, 'mail', sessionKey(session));
}

/** Whether anything lies in a session's mailbox. @throws NudgechartError `SESSION_INVALID`, or Node's error */
export function hasMail(root: string, session: string, files: Files): boolean {
  try {
    return files.list(path.join(mailFolder(root, session), 'new')).length > 0;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
