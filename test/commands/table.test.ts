import { describe, expect, it } from 'vitest';
import { age, json, table, visible, widthOf } from '../../src/commands/table.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('age', () => {
  it.each([
    [null, '-'],
    [-5 * SECOND, '0 s'],
    [999, '0 s'],
    [89_999, '89 s'],
    [119 * SECOND, '119 s'],
    [120 * SECOND, '2 min'],
    [90 * MINUTE - 1, '89 min'],
    [90 * MINUTE, '1 h'],
    [48 * HOUR - 1, '47 h'],
    [48 * HOUR, '2 d'],
  ])('says %j as %s', (ms, expected) => {
    expect(age(ms)).toBe(expected);
  });
});

describe('table', () => {
  it('puts columns below each other, wide characters included', () => {
    expect(
      table([
        ['a', 'bb', 'c'],
        ['日本', 'b', ''],
        ['é', '🎉', 'c'],
      ]),
    ).toEqual(['a     bb  c', '日本  b', 'é     🎉  c']);
    expect(widthOf('日本')).toBe(4);
  });
});

describe('visible', () => {
  it('keeps ordinary text and line ends', () => {
    expect(visible('"Žluťoučký" 日本 🎉\n  next: x')).toBe('"Žluťoučký" 日本 🎉\n  next: x');
  });

  it('escapes what could steer a terminal, and keeps a JSON document what it is', () => {
    const hostile = { text: '\u001b[2J\u009b\u202e\u200b\u2028\ud800\u{e0041}\r\t' };
    const shown = visible(json(hostile));
    expect(shown.replaceAll('\n', '')).toMatch(/^[ -~]*$/);
    expect(JSON.parse(shown)).toEqual(hostile);
  });
});
