import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandsIn } from '../../adapters/work/commands.ts';
import { dispatchedIn } from '../../adapters/work/mu/dispatch.ts';
import { isWait } from '../../adapters/work/wait.ts';

/** Pieces of shell syntax, put together at random: mostly broken. */
const PIECES = [
  ...[
    'mu',
    ' agent',
    ' send',
    ' w1',
    ' -w ws',
    ' -w',
    '=',
    ' --for',
    ' task',
    ' claim',
    ' wait',
    ' ',
    '\n',
    '\\\n',
    ';',
  ],
  ...[
    '&',
    '|',
    '(',
    ')',
    '{ ',
    ' }',
    '((',
    '))',
    '[[ ',
    ' ]]',
    '$(',
    '${',
    '$((',
    '`',
    '"',
    "'",
    '\\',
    "$'",
    '<<EOF\n',
  ],
  ...['EOF\n', '<<<', '<(', '>', '# ', 'if ', 'then ', 'fi', 'for x in ', 'do ', 'done', 'case ', ' in ', ';;', 'esac'],
  ...[
    'eval ',
    'bash -c ',
    'sh ',
    'cat ',
    'env A=b ',
    'timeout 5 ',
    'xargs -I{} ',
    '! ',
    'time ',
    'coproc ',
    'a=(',
    '\0',
  ],
  ...['\u{E000}', '\ud800', '🙂', '\r\n', '{a,b}', '*', '~', '@(', 'function f '],
];
const broken = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));
const anything = fc.oneof(broken, fc.string({ unit: 'binary', maxLength: 200 }));
const withoutNul = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !text.includes('\0'));

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

describe('whatever the text', () => {
  it('nothing throws, and what comes back is of the kind promised', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const scopes = dispatchedIn(text);
        expect(scopes === null || (scopes.length > 0 && new Set(scopes).size === scopes.length)).toBe(true);
        for (const scope of scopes ?? []) expect(scope).toMatch(/^(?:\w[\w.-]{0,127})?$/);
        expect(typeof isWait(text)).toBe('boolean');
        for (const command of commandsIn(text)) expect(command.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('without the word mu nothing is handed out', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(dispatchedIn(text.replaceAll('mu', 'nu'))).toBeNull();
      }),
    );
  });

  it('quoted for echo, it hands out nothing', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(dispatchedIn(`echo mu ${quoted(text)}`)).toBeNull();
        expect(dispatchedIn(`git commit -m ${quoted(`mu agent send ${text}`)}`)).toBeNull();
      }),
    );
  });

  it('as the message that is sent, it changes nothing about where', () => {
    fc.assert(
      fc.property(withoutNul, (text) => {
        expect(dispatchedIn(`mu agent send w1 ${quoted(`to you: ${text}`)} -w ws`)).toEqual(['ws']);
      }),
    );
  });

  it('a script means the same when a shell is told to run it', () => {
    fc.assert(
      fc.property(broken, (text) => {
        const plain = dispatchedIn(`mu agent send w1 -w first; ${text}`);
        expect(dispatchedIn(`bash -c ${quoted(`mu agent send w1 -w first; ${text}`)}`)).toEqual(plain);
      }),
    );
  });
});
