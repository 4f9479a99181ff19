/** The rule has one place, and is found from wherever we are loaded. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepDriving, readRule, ruleIn } from '../../src/commands/keep-driving.ts';
import { start } from '../support/hook.ts';
import { stubMu } from '../support/stub-mu.ts';
import { tempDir } from '../support/temp-dir.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SKILL = path.join(ROOT, 'plugin/skills/nudgechart/SKILL.md');
const [BEGIN, END] = ['<!-- nudgechart:keep-driving -->', '<!-- /nudgechart:keep-driving -->'];

describe('the skill', () => {
  const skill = fs.readFileSync(SKILL, 'utf8');

  it('has the two marks once each, around a paragraph that is not empty and not long', () => {
    expect(skill.split(BEGIN)).toHaveLength(2);
    expect(skill.split(END)).toHaveLength(2);
    const { text, problem } = ruleIn(skill);
    expect(problem).toBeNull();
    expect(text).toBe(skill.slice(skill.indexOf(BEGIN) + BEGIN.length, skill.indexOf(END)).trim());
    expect(text.split(/\s+/).length).toBeGreaterThan(40);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(text).not.toContain('\n');
  });

  it('tells in it what to do: drive, wait, act, and say why one stops', () => {
    for (const word of ['keep driving', 'mu task wait', 'nudgechart wait', 'don’t poll', 'status summary', 'say why']) {
      expect(ruleIn(skill).text.replaceAll("'", '’')).toContain(word);
    }
  });
});

describe('the rule', () => {
  it('is found from sources, from the bundle and from the built library', () => {
    for (const folder of ['src/commands', 'plugin/dist', 'dist/src/commands', 'plugin', '.']) {
      expect(readRule(path.join(ROOT, folder))).toEqual({
        text: expect.stringContaining('keep driving'),
        file: SKILL,
        problem: null,
      });
    }
    expect(keepDriving()).toEqual(readRule(ROOT));
  });

  it.each([
    ['no marks', 'text', BEGIN],
    ['no end', `a ${BEGIN} b`, END],
    ['no beginning', `a ${END} b`, BEGIN],
    ['its end first', `${END} a ${BEGIN}`, END],
  ])('is none in a skill with %s', (_name, skill, missing) => {
    expect(ruleIn(skill)).toEqual({ text: '', problem: `it lacks ${missing}` });
  });

  it('is none when nothing stands between the marks', () => {
    expect(ruleIn(`${BEGIN}\n \n${END}`)).toMatchObject({
      text: '',
      problem: expect.stringContaining('nothing stands'),
    });
  });

  it('keeps its words whatever ends its lines', () => {
    expect(ruleIn(`x\r\n${BEGIN}\r\none\r\ntwo\r\n${END}`).text).toBe('one\ntwo');
  });

  it('is none where there is no skill, or one that can’t be read', () => {
    const folder = tempDir();
    expect(readRule(path.join(folder, 'a/b/c/d/e'))).toMatchObject({ text: '', file: null });
    fs.mkdirSync(path.join(folder, 'skills/nudgechart/SKILL.md'), { recursive: true });
    expect(readRule(folder)).toMatchObject({ text: '', problem: 'it can’t be read' });
  });
});

it('an installation whose skill has lost its marks reminds no orchestrator, and asks no mu', async () => {
  const [folder, home] = [tempDir(), tempDir()];
  fs.cpSync(path.join(ROOT, 'plugin'), folder, { recursive: true });
  const skill = path.join(folder, 'skills/nudgechart/SKILL.md');
  const mu = stubMu();
  mu.inProgress('auth/a');
  const hook = async (payload: Record<string, unknown>) => {
    const args = [path.join(folder, 'dist/nudgechart.cjs'), 'hook', 'claude-code'];
    const { child, ended } = start(process.execPath, args, { HOME: home, ...mu.env });
    child.stdin?.end(JSON.stringify({ session_id: 'session-of-a-test', ...payload }));
    return (await ended).stdout;
  };
  const turn = async () => {
    const input = { command: 'mu agent send w-1 hi -w auth' };
    await hook({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: input });
    return await hook({ hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] });
  };
  const whole = fs.readFileSync(skill, 'utf8');
  fs.writeFileSync(skill, whole.replace(BEGIN, ''));
  expect(await turn()).toBe('');
  expect(mu.questions()).toEqual([]);
  fs.writeFileSync(skill, whole);
  expect(await turn()).toContain('"decision":"block"');
});
