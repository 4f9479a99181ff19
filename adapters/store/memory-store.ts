/** The store's promises without a disk, for tests and for policy authors. */
import { type Document, type Draft, FORMAT } from '../../src/core/document.ts';
import type { StateStore } from '../../src/core/ports.ts';

/** Every document goes through JSON, as it does on disk. */
export function createMemoryStore(): StateStore {
  const sessions = new Map<string, string>();
  const load = (session: string) => {
    const text = sessions.get(session);
    if (text === undefined) return { document: null, base: { rev: 0, id: null } };
    const document: Document = JSON.parse(text);
    return { document, base: { rev: document.rev, id: String(document.rev) } };
  };
  return {
    load,
    commit(base, draft: Draft) {
      if (load(draft.session).base.rev !== base.rev) return false;
      const document: Document = { format: FORMAT, rev: base.rev + 1, ...draft };
      sessions.set(draft.session, JSON.stringify(document));
      return true;
    },
  };
}
