import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Peer, peersIn, presenceIn } from '../../adapters/mail/local/presence.ts';
import { nodeFiles } from '../../adapters/store/files.ts';
import { failing } from '../processes/layers.ts';
import { tempDir } from '../support/temp-dir.ts';
import { T } from '../support/world.ts';
import { ALICE, BOB, CAROL } from './post.ts';

const SILENT_MS = 30_000;

function peer(name: string, session: string, more: Partial<Peer> = {}): Omit<Peer, 'since'> {
  return { sessions: [session], name, folder: '/w', summary: null, pid: process.pid, host: null, ...more };
}

/** Its entry carries this process id in its name, and was written at T. */
function announce(root: string, one: Omit<Peer, 'since'>, number = process.pid): string {
  const before = new Set(filesIn(root));
  presenceIn(root, number, nodeFiles).announce(one);
  const file = filesIn(root).find((name) => !before.has(name)) ?? '';
  fs.utimesSync(file, T / 1000, T / 1000);
  return file;
}

function filesIn(root: string): string[] {
  const folder = path.join(root, 'peers');
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

function namesIn(root: string, at = T): string[] {
  return peersIn(root, at, nodeFiles).map(({ name }) => name);
}

describe('an entry', () => {
  it('says who is here', () => {
    const root = tempDir();
    const one = peer('app', ALICE, { sessions: [CAROL, ALICE], summary: 'writes tests' });
    announce(root, one);
    expect(peersIn(root, T, nodeFiles)).toEqual([{ ...one, since: expect.any(Number) }]);
  });

  it('is replaced by the next one of the same server', () => {
    const root = tempDir();
    const presence = presenceIn(root, 1, nodeFiles);
    presence.announce(peer('app', ALICE));
    presence.announce(peer('renamed', BOB));
    expect(filesIn(root)).toHaveLength(1);
    expect(namesIn(root, Date.now())).toEqual(['renamed']);
  });

  it('is its user’s alone', () => {
    const root = path.join(tempDir(), 'state');
    presenceIn(root, 1, nodeFiles).announce(peer('app', ALICE));
    const [file] = filesIn(root);
    expect(fs.statSync(file ?? '').mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file ?? '')).mode & 0o777).toBe(0o700);
  });

  it('goes when its server leaves, which never throws', () => {
    const root = tempDir();
    const presence = presenceIn(root, 1, nodeFiles);
    presence.announce(peer('app', ALICE));
    presence.leave();
    presence.leave();
    expect(filesIn(root)).toEqual([]);
    expect(() => presenceIn(root, 1, failing('remove', 'EACCES')).leave()).not.toThrow();
  });

  it('stays as it was, and nothing beside it, when the new one can’t be put in its place', () => {
    const root = tempDir();
    announce(root, peer('app', ALICE));
    expect(() => presenceIn(root, 2, failing('rename', 'EACCES')).announce(peer('b', BOB))).toThrow('EACCES');
    expect(filesIn(root)).toHaveLength(1);
    expect(namesIn(root)).toEqual(['app']);
  });
});

describe('a peer is gone', () => {
  it('when its process is', () => {
    const root = tempDir();
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    announce(root, peer('dead', ALICE, { pid: dead }));
    announce(root, peer('alive', BOB));
    expect(namesIn(root)).toEqual(['alive']);
  });

  it('after 30 seconds of silence, not before', () => {
    const root = tempDir();
    announce(root, peer('app', ALICE));
    expect(namesIn(root, T + SILENT_MS)).toEqual(['app']);
    expect(namesIn(root, T + SILENT_MS + 1)).toEqual([]);
  });

  it('not because our clock was set back', () => {
    const root = tempDir();
    announce(root, peer('app', ALICE));
    expect(namesIn(root, T - 3_600_000)).toEqual(['app']);
  });
});

describe('names', () => {
  it('are told apart: the second gets -2, the third -3, another name none', () => {
    const root = tempDir();
    for (const [i, session] of [ALICE, BOB, CAROL].entries()) announce(root, peer('app', session), 100 + i);
    announce(root, peer('other', 'session-of-other'), 200);
    expect(namesIn(root)).toEqual(['app', 'app-2', 'app-3', 'other']);
  });

  it('move up when the first has gone', () => {
    const root = tempDir();
    const first = announce(root, peer('app', ALICE), 100);
    announce(root, peer('app', BOB), 101);
    fs.rmSync(first);
    expect(peersIn(root, T, nodeFiles)).toMatchObject([{ name: 'app', sessions: [BOB] }]);
  });

  // Product fault: entries are sorted as text by process id, so whoever comes later may take the name of one who is here.
  it('stay with who had them when another of that name comes', () => {
    const root = tempDir();
    announce(root, peer('app', ALICE), 999);
    nodeFiles.pause(5);
    announce(root, peer('app', BOB), 1000);
    const named = peersIn(root, T, nodeFiles).find(({ name }) => name === 'app');
    expect(named?.sessions).toEqual([ALICE]);
  });

  // Product fault: a peer that calls itself app-2 shares that name with the second app.
  it('differ, also when somebody calls itself app-2', () => {
    const root = tempDir();
    announce(root, peer('app-2', ALICE), 100);
    announce(root, peer('app', BOB), 101);
    announce(root, peer('app', CAROL), 102);
    expect(new Set(namesIn(root)).size).toBe(3);
  });
});

describe('broken entries are ignored:', () => {
  const BROKEN: Readonly<Record<string, string>> = {
    empty: '',
    'cut off': '{"sessions":["x"],"na',
    'no object': 'null',
    'no session': JSON.stringify(peer('x', 'x', { sessions: [] })),
    'a pid that is a text': JSON.stringify({ ...peer('x', 'x'), pid: '1' }),
    'too long': JSON.stringify(peer('x'.repeat(70_000), 'x')),
  };

  it.each(Object.keys(BROKEN))('%s', (what) => {
    const root = tempDir();
    announce(root, peer('app', ALICE), 500);
    for (const number of [1, 999]) {
      const file = path.join(root, 'peers', `${number}-00000000deadbeef.json`);
      fs.writeFileSync(file, BROKEN[what] ?? '');
      fs.utimesSync(file, T / 1000, T / 1000);
    }
    expect(namesIn(root)).toEqual(['app']);
  });

  it('a link, a folder, a name of another shape, half a writing', () => {
    const root = tempDir();
    const file = announce(root, peer('app', ALICE), 500);
    const folder = path.dirname(file);
    fs.symlinkSync(file, path.join(folder, '501-00000000deadbeef.json'));
    fs.mkdirSync(path.join(folder, '502-00000000deadbeef.json'));
    for (const name of ['README', '.00000000deadbeef', 'x-00000000deadbeef.json', '503-xyz.json']) {
      fs.copyFileSync(file, path.join(folder, name));
      fs.utimesSync(path.join(folder, name), T / 1000, T / 1000);
    }
    expect(namesIn(root)).toEqual(['app']);
  });

  it('nobody at all', () => {
    expect(namesIn(tempDir())).toEqual([]);
  });
});
