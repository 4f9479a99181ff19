import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { noteHost } from '../../../adapters/store/hosts.ts';
import { examine } from '../../../src/commands/doctor.ts';
import { OTHER_SESSION, SESSION } from '../../support/payloads.ts';
import { openScene, type Scene } from '../scene.ts';
import { examined } from './examined.ts';

const session = (scene: Scene, more = {}) => examined(scene, more)('session');

function note(scene: Scene, pid: number, id = SESSION, agent: string | null = 'claude-code_2-1-332_cli') {
  nodeFiles.makeFolders(scene.root);
  noteHost(scene.root, nodeFiles, String(pid), { session: id, agent, wakes: false });
}

describe('doctor on the agreement about sessions', () => {
  it('has nothing to say where no host runs', () => {
    expect(session(openScene())).toMatchObject([{ verdict: 'ok' }]);
  });

  it('lists the hosts that still run, with their session and version', () => {
    const scene = openScene();
    note(scene, 4711);
    note(scene, 12, OTHER_SESSION, null);
    note(scene, 13);
    const findings = session(scene, { isRunning: (pid: number) => pid !== 13 });
    expect(findings.map(({ detail }) => detail)).toEqual([
      `a host, process 12, is in session ${OTHER_SESSION}`,
      `claude-code 2.1.332, process 4711, is in session ${SESSION}`,
    ]);
    expect(examined(scene)('versions')[0]?.detail).toContain('claude-code 2.1.332');
  });

  it('tells running processes from others by itself', () => {
    const scene = openScene();
    note(scene, process.pid);
    note(scene, 2 ** 22 + 1);
    const [own, ...others] = examine(scene.here).filter(({ check }) => check === 'session');
    expect(own?.detail).toContain(`process ${process.pid}`);
    expect(others).toEqual([]);
  });

  it.each(['${CLAUDE_CODE_SESSION_ID}', '', '  '])('rejects CLAUDE_CODE_SESSION_ID=%j', (value) => {
    const scene = openScene({ env: { CLAUDE_CODE_SESSION_ID: value } });
    expect(session(scene)).toMatchObject([
      { verdict: 'wrong', next: expect.stringContaining('remove CLAUDE_CODE_SESSION_ID') },
    ]);
  });

  it('finds such a literal in the host’s settings too', () => {
    const scene = openScene();
    scene.write('.claude/settings.json', { env: { CLAUDE_CODE_SESSION_ID: '${CLAUDE_CODE_SESSION_ID}' } });
    expect(session(scene)).toMatchObject([{ verdict: 'wrong' }]);
  });

  it('rejects a pinned id of interlink’s server', () => {
    expect(session(openScene({ env: { INTERLINK_SESSION: 'main' } }))[0]).toMatchObject({
      verdict: 'wrong',
      detail: expect.stringContaining('INTERLINK_SESSION is "main"'),
      next: 'unset INTERLINK_SESSION',
    });
    expect(session(openScene({ env: { INTERLINK_SESSION: ' ' } }))).toMatchObject([{ verdict: 'ok' }]);
  });

  it('notes that no running host has said that it is in this session', () => {
    const scene = openScene({ env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(session(scene)).toMatchObject([{ verdict: 'note', detail: expect.stringContaining(SESSION) }]);
    note(scene, 12, OTHER_SESSION);
    expect(session(scene)).toMatchObject([{ verdict: 'ok' }, { verdict: 'note' }]);
    note(scene, 13, SESSION);
    expect(session(scene)).toMatchObject([{ verdict: 'ok' }, { verdict: 'ok' }]);
  });

  it('bears notes that can’t be read, and quotes what a host calls itself', () => {
    const scene = openScene();
    note(scene, 12, SESSION, '\u001b[2Jhost');
    scene.write('.local/state/nudgechart/hosts/13', '{');
    scene.write('.local/state/nudgechart/hosts/.14-x', '{}');
    expect(session(scene)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('"\\u001b[2Jhost", process 12') },
    ]);
  });
});
