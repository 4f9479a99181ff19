/** What the server says when it doesn't do a thing. */
import type { Refusal } from '../live.ts';

/** A refusal in a body; a body that is none gives one that says so. */
export function refusalIn(body: string): Refusal {
  try {
    const { message, next } = JSON.parse(body) as Partial<Refusal>;
    if (typeof message === 'string' && typeof next === 'string') return { message, next };
  } catch {
    // Not ours to read: said below.
  }
  return {
    message: 'the server’s answer could not be understood',
    next: 'load this page again; if that doesn’t help, start nudgechart view again',
  };
}
