import { describe, expect, it } from 'vitest';
import { ruleIn } from '../../../src/commands/keep-driving.ts';
import { closeSources, configuredPolicies } from '../../../src/commands/settings.ts';
import { openScene } from '../scene.ts';
import { examined, verdicts } from './examined.ts';

const WORKER = { MU_AGENT_NAME: 'w-1', MU_WORKSTREAM: 'auth' };

function optionsOf(id: string, env: Record<string, string>): unknown {
  return configuredPolicies(env).find(({ policy }) => policy.machine.id === id)?.options;
}

describe('doctor on the rule for orchestrators', () => {
  it('names the skill that it stands in', () => {
    const [finding, ...others] = examined(openScene())('keep-driving');
    expect(finding).toMatchObject({
      verdict: 'ok',
      detail: expect.stringMatching(/words in .*nudgechart\/SKILL\.md$/),
    });
    expect(others).toEqual([]);
  });

  it('says that it is off when the skill has lost its marks', () => {
    const rule = { file: '/p/SKILL.md', ...ruleIn('a skill') };
    const findings = examined(openScene(), { rule })('keep-driving');
    expect(findings).toMatchObject([
      {
        verdict: 'wrong',
        detail: '/p/SKILL.md: it lacks <!-- nudgechart:keep-driving -->, so no orchestrator is reminded',
      },
    ]);
  });

  it('says where it has looked when there is no skill', () => {
    const rule = { file: null, text: '', problem: 'there is no skills/nudgechart/SKILL.md above /p' };
    expect(examined(openScene(), { rule })('keep-driving')).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('above /p, so no orchestrator') },
    ]);
  });

  it.each([
    ['0', 'note', true],
    [' off ', 'note', true],
    ['False', 'note', true],
    ['no', 'note', true],
    ['1', 'ok', false],
    ['on', 'ok', false],
    ['00', 'note', false],
    ['never', 'note', false],
  ])('MU_NUDGE=%j is a %s: silent is %j', (value, verdict, silent) => {
    const [, finding] = examined(openScene({ env: { MU_NUDGE: value } }))('keep-driving');
    expect(finding).toMatchObject({ verdict });
    expect(finding?.detail).toContain(
      silent ? 'no reminders about workers' : value === '1' || value === 'on' ? ': on' : 'counts as on',
    );
    expect(optionsOf('settle', { MU_NUDGE: value })).toEqual({
      rule: silent ? '' : expect.stringContaining('keep driving'),
    });
    expect(closeSources({ ...WORKER, MU_NUDGE: value })).toEqual(silent ? [] : ['mu-owned']);
  });

  it.each([{}, { MU_NUDGE: '' }, { MU_NUDGE: '  ' }])('says nothing of a switch that isn’t set (%j)', (env) => {
    expect(examined(openScene({ env }))('keep-driving')).toHaveLength(1);
    expect(optionsOf('settle', env)).toEqual({ rule: expect.stringContaining('keep driving') });
  });

  it('names the settings file that switches it off', () => {
    const scene = openScene();
    const file = scene.write('.claude/settings.json', { env: { MU_NUDGE: '0' } });
    expect(examined(scene)('keep-driving')[1]?.detail).toContain(`MU_NUDGE is "0" in ${file}`);
  });
});

describe('doctor on open work at a worker’s end', () => {
  const rows: [env: Record<string, string>, verdict: string, detail: RegExp, sources: string[]][] = [
    [{}, 'ok', /^no worker of mu/, []],
    [WORKER, 'ok', /^worker "w-1" in "auth" of mu: told once/, ['mu-owned']],
    [{ ...WORKER, CLAUDE_CODE_SESSION_ATTENDED: '1' }, 'ok', /told once/, ['mu-owned']],
    [{ ...WORKER, CLAUDE_CODE_SESSION_ATTENDED: '0' }, 'ok', /not the worker itself/, []],
    [{ ...WORKER, MU_NUDGE: '0' }, 'ok', /MU_NUDGE keeps it silent/, []],
    [{ MU_AGENT_NAME: 'w-1' }, 'note', /half a worker of mu: MU_WORKSTREAM/, []],
    [{ MU_WORKSTREAM: 'auth', MU_AGENT_NAME: ' ' }, 'note', /half a worker of mu: MU_AGENT_NAME/, []],
  ];

  it.each(rows)('%j: %s', (env, verdict, detail, sources) => {
    expect(examined(openScene({ env }))('close')).toMatchObject([{ verdict, detail: expect.stringMatching(detail) }]);
    expect(closeSources(env)).toEqual(sources);
    expect(optionsOf('close', env)).toEqual({ sources });
  });

  const peers: [env: Record<string, string>, verdicts: string[], sources: string[]][] = [
    [{ NUDGECHART_CLOSE_PEERS: '1' }, ['ok', 'ok'], ['executing']],
    [{ NUDGECHART_CLOSE_PEERS: ' 1 ', ...WORKER }, ['ok', 'ok'], ['mu-owned', 'executing']],
    [{ NUDGECHART_CLOSE_PEERS: '1', MU_NUDGE: '0' }, ['ok', 'note'], []],
    [{ NUDGECHART_CLOSE_PEERS: 'yes' }, ['ok', 'note'], []],
    [{ NUDGECHART_CLOSE_PEERS: '0' }, ['ok'], []],
    [{ NUDGECHART_CLOSE_PEERS: '' }, ['ok'], []],
  ];

  it.each(peers)('%j: %j', (env, expected, sources) => {
    expect(verdicts(examined(openScene({ env }))('close'))).toEqual(expected);
    expect(closeSources(env)).toEqual(sources);
  });
});
