import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInterval } from '../../src/core/interval.ts';

const MINUTE = 60_000;

describe('an interval', () => {
  it.each([
    [undefined, MINUTE],
    ['', MINUTE],
    ['   ', MINUTE],
    ['60', MINUTE],
    [' 30 ', 30_000],
    ['60s', MINUTE],
    ['1m', MINUTE],
    ['2h', 7_200_000],
    ['500ms', 500],
    ['1.5', 1500],
    ['0', null],
    ['0.0', null],
  ])('%j is %s ms, and nothing is wrong with it', (text, ms) => {
    expect(parseInterval(text, MINUTE)).toEqual({ ms, problem: null });
  });

  it.each(['-1', 'abc', 'NaN', 'Infinity', '0x10', '10,5', '1e3', '٣٠', '３０', '1 m', '60 s', '.5', '5.', '+5', '1d'])(
    '%j is off, and says so',
    (text) => {
      const { ms, problem } = parseInterval(text, MINUTE);
      expect(ms).toBeNull();
      expect(problem).toContain(JSON.stringify(text));
    },
  );

  it.each(['99999999999', '25h', `${'9'.repeat(400)}`])('%j is a day, and says so', (text) => {
    expect(parseInterval(text, MINUTE)).toMatchObject({ ms: 86_400_000, problem: expect.stringContaining('24 h') });
  });

  it('is a whole number of ms up to a day, or off, whatever was written', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { ms } = parseInterval(text, MINUTE);
        expect(ms === null || (Number.isSafeInteger(ms) && ms > 0 && ms <= 86_400_000)).toBe(true);
      }),
    );
  });
});
