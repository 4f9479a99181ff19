/** Shapes that several tools take. */
import * as z from 'zod/mini';

/** What is said to a peer. Its length is checked where it is sent, with advice on what to do instead. */
export const text = z.string();

/** 1 to 128 printable characters on one line: so every call that a reminder suggests can be copied. */
export const taskId = z.string().check(
  z.minLength(1),
  z.maxLength(128),
  z.refine((id) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(id), { error: 'a task_id is printable and on one line' }),
);
