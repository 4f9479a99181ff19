import { expect, it } from 'vitest';
import { mailboxOf } from '../../adapters/mail/local/mailbox.ts';
import { presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { showStatus } from '../../src/commands/status.ts';
import { OTHER_SESSION, SESSION } from '../support/payloads.ts';
import { openScene, type Scene } from './scene.ts';

function populated(): Scene {
  const scene = openScene({ columns: 200 });
  nodeFiles.makeFolders(scene.root);
  const peer = {
    sessions: [OTHER_SESSION, SESSION],
    name: 'app\u001b[2J',
    folder: '/w',
    summary: null,
    pid: process.pid,
  };
  presenceIn(scene.root, process.pid, nodeFiles).announce(peer);
  const message = { from: 's', name: null, text: 'x', task: null, status: null, answers: null, at: Date.now() };
  mailboxOf(scene.root, SESSION, nodeFiles).deliver({ ...message, id: 'm-1' });
  mailboxOf(scene.root, OTHER_SESSION, nodeFiles).deliver({ ...message, id: 'm-2' });
  return scene;
}

it('status shows who can be reached, and how much mail waits for any of its sessions', () => {
  const scene = populated();
  showStatus({}, scene.here);
  const line = scene.lines.find((one) => one.startsWith('"app'));
  expect(line?.split(/\s{2,}/)).toEqual(['"app\\u001b[2J"', `"${SESSION}"`, '2', '"/w"']);
});

it('status tells programs the same', () => {
  const scene = populated();
  showStatus({ json: true }, scene.here);
  expect(JSON.parse(scene.lines.join('\n')).peers).toEqual([
    { name: 'app\u001b[2J', session: SESSION, folder: '/w', unread: 2 },
  ]);
});

it('status says nothing of peers where there are none', () => {
  const scene = openScene();
  showStatus({}, scene.here);
  expect(scene.lines.join('\n')).not.toContain('PEER  SESSION');
});
