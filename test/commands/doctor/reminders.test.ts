import { describe, expect, it } from 'vitest';
import { isSwitchedOff } from '../../../src/commands/switch.ts';
import { openScene } from '../scene.ts';
import { examined, verdicts } from './examined.ts';

const VARIABLE = 'INTERLINK_PROGRESS_INTERVAL';

function interval(text: string | undefined) {
  return examined(openScene({ env: text === undefined ? {} : { [VARIABLE]: text } }))('interval');
}

describe('doctor on the interval', () => {
  it.each([
    [undefined, 'ok', '60 s, the default'],
    ['', 'ok', '60 s, the default'],
    ['   ', 'ok', '60 s, the default'],
    ['60', 'ok', `60 s, from ${VARIABLE}`],
    [' 30 ', 'ok', `30 s, from ${VARIABLE}`],
    ['60s', 'ok', `60 s, from ${VARIABLE}`],
    ['1m', 'ok', `60 s, from ${VARIABLE}`],
    ['1.5', 'ok', `1.5 s, from ${VARIABLE}`],
    ['0', 'note', `off, from ${VARIABLE}: no reminders`],
    ['-1', 'note', `off, from ${VARIABLE}: no reminders`],
    ['1e3', 'wrong', `off, from ${VARIABLE}: "1e3" is no number`],
    ['10,5', 'wrong', `off, from ${VARIABLE}: "10,5" is no number`],
    ['abc', 'wrong', `off, from ${VARIABLE}: "abc" is no number`],
    ['NaN', 'wrong', `off, from ${VARIABLE}: "NaN" is no number`],
    ['Infinity', 'wrong', `off, from ${VARIABLE}: "Infinity" is no number`],
    ['0x10', 'wrong', `off, from ${VARIABLE}: "0x10" is no number`],
    ['٣٠', 'wrong', `off, from ${VARIABLE}: "٣٠" is no number`],
    ['99999999999', 'note', `86400 s, from ${VARIABLE}: "99999999999" is more than 24 h`],
  ])('judges %j as %s', (text, verdict, detail) => {
    const [finding, ...others] = interval(text);
    expect(finding).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
    expect(finding?.next === null).toBe(verdict === 'ok');
    expect(others).toEqual([]);
  });

  it('goes by what the host’s settings give its hooks, the last file first', () => {
    const scene = openScene({ env: { [VARIABLE]: '10' } });
    const user = scene.write('.claude/settings.json', { env: { [VARIABLE]: 20 } });
    expect(examined(scene)('interval')[0]?.detail).toBe(`20 s, from ${VARIABLE} in ${user}`);
    const project = scene.write('project/.claude/settings.local.json', { env: { [VARIABLE]: '30s' } });
    expect(examined(scene)('interval')[0]?.detail).toBe(`30 s, from ${VARIABLE} in ${project}`);
    scene.write('project/.claude/settings.local.json', { env: { [VARIABLE]: 'soon' } });
    expect(examined(scene)('interval')[0]?.verdict).toBe('wrong');
  });

  it.each([
    ['all', 'ok', /every tool call counts/],
    ['changing', 'ok', /shell, edit and write tools count/],
    ['every', 'note', /"every", which is no choice/],
  ])('tells which tool calls count (%s)', (value, verdict, detail) => {
    const [, finding] = examined(openScene({ env: { NUDGECHART_PROGRESS_TOOLS: value } }))('interval');
    expect(finding).toMatchObject({ verdict, detail: expect.stringMatching(detail) });
  });
});

describe('the switch', () => {
  it.each([
    [undefined, false, 'ok'],
    ['', false, 'ok'],
    ['  ', false, 'ok'],
    ['1', false, 'ok'],
    ['true', false, 'ok'],
    ['On', false, 'ok'],
    ['yes', false, 'ok'],
    ['0', true, 'note'],
    [' 0 ', true, 'note'],
    ['false', true, 'note'],
    ['OFF', true, 'note'],
    ['no', true, 'note'],
    ['00', false, 'note'],
    ['disabled', false, 'note'],
  ])('NUDGECHART=%j: off is %j', (value, off, verdict) => {
    const env = value === undefined ? {} : { NUDGECHART: value };
    expect(isSwitchedOff(env)).toBe(off);
    const findings = examined(openScene({ env }))('switch');
    expect(verdicts(findings)).toEqual([verdict]);
    expect(/switched off/.test(findings[0]?.detail ?? '')).toBe(off);
  });

  it('is off for hooks when the host’s settings say so, and the doctor names the file', () => {
    const scene = openScene();
    const file = scene.write('.claude/settings.json', { env: { NUDGECHART: '0' } });
    expect(examined(scene)('switch')).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining(`in ${file}: switched off`) },
    ]);
  });
});
