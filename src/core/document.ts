/** What is known about one session between two short processes. */
import * as z from 'zod/mini';

export const FORMAT = 1;

/** One chart at rest: the state it is in and its data, without options, which aren't state. */
const StoredSnapshot = z.object({
  status: z.literal('active'),
  value: z.union([z.string(), z.record(z.string(), z.unknown())]),
  context: z.record(z.string(), z.unknown()),
});
export type StoredSnapshot = z.infer<typeof StoredSnapshot>;

/** An instance as stored. Read only when the policy and its version are known. */
export const StoredInstance = z.object({ version: z.string(), snapshot: StoredSnapshot });
export type StoredInstance = z.infer<typeof StoredInstance>;

/**
 * The one document of a session.
 * `rev` counts commits. `instances`: `<policy>/<key>` → instance, kept unread here so that one bad entry spoils no other.
 * `seen`: ids of the last messages that were taken in. `memory`: what each source of news wants to be reminded of.
 */
export const Document = z.object({
  format: z.literal(FORMAT),
  session: z.string().check(z.minLength(1)),
  rev: z.int().check(z.positive()),
  instances: z.record(z.string(), z.unknown()),
  seen: z.array(z.string()),
  memory: z.record(z.string(), z.unknown()),
});
export type Document = z.infer<typeof Document>;

/** A document before the store has given it its number. */
export type Draft = Omit<Document, 'rev' | 'format'>;
