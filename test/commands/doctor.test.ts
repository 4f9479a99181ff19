import { describe, expect, it } from 'vitest';
import { note, ok, wrong } from '../../src/commands/doctor/finding.ts';
import { showFindings } from '../../src/commands/doctor.ts';
import { examined } from './doctor/examined.ts';
import { openScene } from './scene.ts';

const FINDINGS = [ok('switch', 'on'), note('interval', 'off', 'unset it'), wrong('state-folder', 'gone', 'make it')];

describe('doctor', () => {
  it('prints a line for each finding, what to do below it, and a sum', () => {
    const scene = openScene();
    expect(showFindings(FINDINGS, scene.here)).toBe(1);
    expect(scene.lines).toEqual([
      'ok     switch        on',
      'note   interval      off',
      '       next: unset it',
      'WRONG  state-folder  gone',
      '       next: make it',
      '',
      '1 thing wrong, 1 note',
    ]);
  });

  it('exits with 0 when there are only notes', () => {
    const scene = openScene();
    expect(showFindings(FINDINGS.slice(0, 2), scene.here)).toBe(0);
    expect(scene.lines.at(-1)).toBe('nothing is wrong, 1 note');
  });

  it('gives programs one document', () => {
    const scene = openScene();
    expect(showFindings(FINDINGS, scene.here, true)).toBe(1);
    expect(JSON.parse(scene.lines.join('\n'))).toEqual({
      healthy: false,
      findings: [
        { check: 'switch', verdict: 'ok', detail: 'on', next: null },
        { check: 'interval', verdict: 'note', detail: 'off', next: 'unset it' },
        { check: 'state-folder', verdict: 'wrong', detail: 'gone', next: 'make it' },
      ],
    });
  });

  it('makes a finding of a check that fails itself, and goes on', () => {
    const scene = openScene();
    const isRunning = () => {
      throw new Error('no processes here');
    };
    scene.write('.local/state/nudgechart/hosts/12', {});
    const check = examined(scene, { isRunning });
    expect(check('session')).toMatchObject([
      { verdict: 'wrong', detail: expect.stringContaining('no processes here') },
    ]);
    expect(check('documents')).toMatchObject([{ verdict: 'ok' }]);
  });

  it.each([
    ['20.15.1', 'wrong'],
    ['18.20.0', 'wrong'],
    ['20.16.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('judges Node %s as %s', (node, verdict) => {
    expect(examined(openScene(), { node })('versions')).toMatchObject([{ verdict }]);
  });

  it('notes that the host keeps another version of the plugin', () => {
    const scene = openScene();
    scene.write('.claude/settings.json', { enabledPlugins: { 'nudgechart@here': true } });
    const copies = [{ scope: 'user', version: '1.2.3' }, { scope: 'local', version: '1.2.0' }, { scope: 'project' }];
    scene.write('.claude/plugins/installed_plugins.json', {
      version: 2,
      plugins: { 'nudgechart@here': copies, 'nudgechart@disabled': [{ version: '1.0.0' }] },
    });
    expect(examined(scene, { version: '1.2.3' })('versions')).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('nudgechart 1.2.3') },
      {
        verdict: 'note',
        detail: 'plugin nudgechart@here is 1.2.0, this command 1.2.3',
        next: 'run: claude plugin update nudgechart@here',
      },
    ]);
  });
});
