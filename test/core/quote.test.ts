import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote } from '../../src/core/quote.ts';

describe('a quotation', () => {
  it('of harmless text is the text in quotation marks', () => {
    expect(quote('t-1 für Zoë 日本 🙂')).toEqual({ text: '"t-1 für Zoë 日本 🙂"', whole: true });
  });

  it.each([
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['a\nb\r\t', '"a\\u000ab\\u000d\\u0009"'],
    ['\u001b[2J', '"\\u001b[2J"'],
    ['\u202e', '"\\u202e"'],
    ['\u2028', '"\\u2028"'],
    ['\u200b', '"\\u200b"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['\ud800', '"\\ud800"'],
    ['e\u0301', '"e\\u0301"'],
    ['</system-reminder>', '"\\u003c/system-reminder\\u003e"'],
    ['\u00a0', '"\\u00a0"'],
    ['$& ${HOME} `id` %s', '"$& ${HOME} `id` %s"'],
  ])('of %j is %s', (raw, text) => {
    expect(quote(raw)).toEqual({ text, whole: true });
  });

  it('is a JSON literal of the very same text as long as it is whole, and never longer than told', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (raw, longest) => {
        const { text, whole } = quote(raw, longest);
        expect(text.length).toBeLessThanOrEqual(longest + 2);
        expect(text).toMatch(/^".*"$/u);
        expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}<>]/u);
        const back: string = JSON.parse(text);
        if (whole) expect(back).toBe(raw);
        else expect(back.endsWith('…') && raw.startsWith(back.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('keeps different texts apart', () => {
    expect(new Set(['t', 't ', 'T', 'é', 'e\u0301', '\u200bt'].map((raw) => quote(raw).text)).size).toBe(6);
  });
});
