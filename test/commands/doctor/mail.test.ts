import { describe, expect, it } from 'vitest';
import { presenceIn } from '../../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../../adapters/store/files.ts';
import { noteHost } from '../../../adapters/store/hosts.ts';
import { SESSION } from '../../support/payloads.ts';
import { openScene, type Scene } from '../scene.ts';
import { examined } from './examined.ts';

const mail = (scene: Scene) => examined(scene)('mail');

function enabled(): Scene {
  const scene = openScene();
  scene.write('.claude/settings.json', { enabledPlugins: { 'nudgechart@nudgechart': true } });
  return scene;
}

function host(scene: Scene, agent: string): void {
  nodeFiles.makeFolders(scene.root);
  noteHost(scene.root, nodeFiles, '4711', { session: SESSION, agent, wakes: false });
}

function serve(scene: Scene, session = SESSION): void {
  nodeFiles.makeFolders(scene.root);
  const peer = { sessions: [session], name: 'app', folder: '/w', summary: null, pid: process.pid };
  presenceIn(scene.root, process.pid, nodeFiles).announce(peer);
}

describe('doctor on mail', () => {
  it('is content where nobody is', () => {
    expect(mail(openScene())).toMatchObject([{ verdict: 'ok', detail: expect.stringContaining('no server runs') }]);
  });

  it('names the servers that run', () => {
    const scene = openScene();
    serve(scene);
    expect(mail(scene)).toMatchObject([{ verdict: 'ok', detail: '1 server here: "app"' }]);
  });

  it('says what answers the tool calls of a host that has its server', () => {
    const scene = enabled();
    host(scene, 'claude-code_2-1-332_harness');
    serve(scene);
    expect(mail(scene).slice(1)).toMatchObject([
      { verdict: 'ok', detail: expect.stringContaining('without a process') },
    ]);
  });

  it('notes a host without a server, and one that is too old for hooks without a process', () => {
    const scene = enabled();
    host(scene, 'claude-code_2-1-117_harness');
    expect(mail(scene).slice(1)).toMatchObject([
      { verdict: 'note', detail: expect.stringContaining('has no server') },
      { verdict: 'note', detail: expect.stringContaining('too old') },
    ]);
  });

  it.each(['2-1-118', '2-2-0', '3-0-0'])('takes %s for new enough', (version) => {
    const scene = enabled();
    host(scene, `claude-code_${version}_harness`);
    serve(scene);
    expect(mail(scene).slice(1)).toMatchObject([{ verdict: 'ok' }]);
  });

  it('leaves hosts alone where the plugin is not installed', () => {
    const scene = openScene();
    host(scene, 'claude-code_2-1-332_harness');
    expect(mail(scene)).toHaveLength(1);
  });
});
