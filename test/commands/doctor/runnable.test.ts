import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.ts';
import { examined } from './examined.ts';

const entry = (command: string, matcher = 'Bash|Edit|Write') => ({
  hooks: { PostToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] },
});

function registration(scene: Scene, settings: object) {
  scene.write('.claude/settings.json', settings);
  return examined(scene)('registration');
}

describe('doctor on a registered hook', () => {
  it('is content when the program is on the PATH', () => {
    expect(registration(openScene(), entry('nudgechart hook claude-code'))).toMatchObject([{ verdict: 'ok' }]);
  });

  it.each([
    ['nudgechart hook claude-code', 'not on the PATH'],
    ['exec nudgechart hook claude-code', 'not on the PATH'],
    ['node /nowhere/nudgechart.cjs hook claude-code', '/nowhere/nudgechart.cjs is not there'],
  ])('finds that %j has no program', (command, why) => {
    expect(registration(openScene({ env: { PATH: '/nonexistent' } }), entry(command))).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining(why), next: expect.stringContaining('install') },
    ]);
  });

  it('finds a host that nothing can be answered to', () => {
    expect(registration(openScene(), entry('nudgechart hook claude'))).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('"claude" is no host') },
    ]);
  });

  it.each(['Read', 'Read|Grep', '^mcp__.*$'])('finds that the matcher %j lets nothing through', (matcher) => {
    expect(registration(openScene(), entry('nudgechart hook', matcher))).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('lets no tool through') },
    ]);
  });

  it.each(['', '*', 'Bash', 'Bash,Read', '^(Bash|Write)$', '.*', '('])('is content with the matcher %j', (matcher) => {
    expect(registration(openScene(), entry('nudgechart hook', matcher))).toMatchObject([{ verdict: 'ok' }]);
  });
});

it.each([
  ['2m', 1],
  ['90s', 1],
  ['120', 0],
  ['', 0],
])('beside interlink’s hook an interval of %j brings %i more notes', (interval, notes) => {
  const scene = openScene();
  scene.env['INTERLINK_PROGRESS_INTERVAL'] = interval;
  const both = entry('nudgechart hook claude-code');
  both.hooks.PostToolUse[0]?.hooks.push({ type: 'command', command: 'node progress-nudge.js' });
  scene.write('.claude/settings.json', both);
  expect(examined(scene)('interlink')).toHaveLength(1 + notes);
});
