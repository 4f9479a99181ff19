/** `nudgechart wait --session <id> --for 10m`: for a model or a person that has nothing else to do than to wait for mail. */
import { type Mailbox, mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { knownMail } from '../../adapters/mail/local/news.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { stateRoot } from '../../adapters/store/root.ts';
import { inboxPolicy } from '../../machines/inbox.machine.ts';
import type { Document } from '../core/document.ts';
import { NudgechartError } from '../core/errors.ts';
import { parseInterval } from '../core/interval.ts';
import { fileStore } from './plain-engine.ts';
import { sessionMeant } from './session-meant.ts';
import type { Surroundings } from './surroundings.ts';

const LOOK_MS = 1000;
const DEFAULT_MS = 600_000;

export interface WaitOptions {
  /** An id or the beginning of one; not given: the session whose shell this is. */
  readonly session?: string | undefined;
  readonly limit?: string | undefined;
}

/**
 * Prints unread mail of a session when there is some, one JSON object a line, and leaves it where it is. Mail that the model
 * has read and not acknowledged is not waited for.
 *
 * @throws NudgechartError `ARGUMENT_INVALID`, `SESSION_INVALID`
 */
export async function waitByHand({ session, limit }: WaitOptions, here: Surroundings): Promise<void> {
  const { env, out } = here;
  const { ms } = parseInterval(limit, DEFAULT_MS);
  if (ms === null) {
    throw new NudgechartError('ARGUMENT_INVALID', '--for is no duration', 'write for example --for 90s or --for 10m');
  }
  const id = sessionMeant(session ?? ownSession(env), here);
  const box = mailboxOf(stateRoot(env).path, id, nodeFiles);
  const store = fileStore(env);
  for (const until = Date.now() + ms; ; ) {
    const unread = box.entries().length === 0 ? [] : unreadIn(box, store.load(id).document);
    const messages = unread.flatMap((name) => box.read(name) ?? []);
    for (const message of messages) out(JSON.stringify(message));
    if (messages.length > 0) return;
    if (Date.now() >= until)
      return out(box.entries().length === 0 ? 'no mail' : 'no new mail; acknowledge what was read');
    await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, until - Date.now())));
  }
}

/** Hosts say it to what their shell starts. */
function ownSession(env: Surroundings['env']): string {
  const id = (env['CLAUDE_CODE_SESSION_ID'] || env['PI_SESSION_ID'] || '').trim();
  if (id !== '') return id;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    'no session is named',
    'add --session <id>; nudgechart status lists them',
  );
}

/** Names of files. What was taken in, and what the inbox no longer has, was read. */
function unreadIn(box: Mailbox, document: Document | null): string[] {
  const { fresh, told } = inboxIn(document);
  const waiting = new Set([...fresh, ...told].map(({ id, peer }) => JSON.stringify([id, peer])));
  const known = new Map(knownMail(document).map(({ file, id, peer }) => [file, JSON.stringify([id, peer])]));
  return box.entries().flatMap(({ name }) => {
    const letter = known.get(name);
    return letter === undefined || waiting.has(letter) ? [name] : [];
  });
}

interface Letters {
  readonly fresh: readonly { id: string; peer: string }[];
  readonly told: readonly { id: string; peer: string }[];
}

function inboxIn(document: Document | null): Letters {
  const instance = document?.instances['inbox/session'] as { snapshot?: { context?: unknown } } | undefined;
  const context = inboxPolicy.context().safeParse(instance?.snapshot?.context);
  return context.success ? (context.data as unknown as Letters) : { fresh: [], told: [] };
}
