// What several scripted models do and hear, written down as it happens.

import type { Block, Turn } from './model.ts';
import { nudges } from './scene.ts';

export interface Story {
  /** The same turns; each is written down, with what our hooks said before it. */
  of(name: string, turns: readonly Turn[]): Turn[];
  /** Null until it has. */
  sessionThatSaid(name: string, text: string): string | null;
  /** A line each, in order. Session ids are replaced by names. */
  lines(): string[];
}

export function writeStory(): Story {
  const written: { name: string; at: number; text: string }[] = [];
  const names = new Map<string, string>();
  const said = new Map<string, string>();
  const begin = Date.now();

  const note = (name: string, text: string) => written.push({ name, at: Date.now() - begin, text });

  const noteAnswer = (name: string, session: string, blocks: readonly Block[]) => {
    for (const block of blocks) {
      note(name, described(block));
      if (block.type === 'text') said.set(JSON.stringify([name, block.text]), session);
    }
  };

  const of = (name: string, turns: readonly Turn[]) => {
    let heard = 0;
    return turns.map((turn): Turn => {
      return async (request) => {
        names.set(request.session, name);
        const lines = nudges(request);
        for (const line of lines.slice(heard)) note(name, `hears  ${line}`);
        heard = lines.length;
        const blocks = typeof turn === 'function' ? await turn(request) : turn;
        noteAnswer(name, request.session, blocks);
        return blocks;
      };
    });
  };

  const lines = () =>
    written.map(({ name, at, text }) => {
      const named = [...names].reduce(
        (all, [session, other]) => all.replaceAll(session, `<session of ${other}>`),
        text,
      );
      return `${(at / 1000).toFixed(1).padStart(5)} s  ${name}  ${named}`;
    });

  return { of, lines, sessionThatSaid: (name, text) => said.get(JSON.stringify([name, text])) ?? null };
}

function described(block: Block): string {
  if (block.type === 'text') return `says   ${block.text}`;
  const { name, input } = block;
  return `calls  ${name.replace(/^mcp__.*__/, '')} ${name === 'Bash' ? input['command'] : JSON.stringify(input)}`;
}
