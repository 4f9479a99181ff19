import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { historyIn, namesIn } from './history.ts';
import { startWriters } from './programs.ts';

it('makes one folder when 30 processes create the same session', async () => {
  const root = path.join(tempDir(), 'root');
  const session = 'session-that-is-new';
  const entries = Array.from({ length: 30 }, (_, writer) => `writer ${writer}`);
  const writers = await startWriters(entries.map((entry) => ({ root, session, entries: [entry] })));
  for (const writer of writers) writer.go();
  const ends = await Promise.all(writers.map((writer) => writer.ended));

  expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  expect([...historyIn(root, session)].sort()).toEqual([...entries].sort());
  expect(fs.readdirSync(root)).toEqual(['sessions']);
  expect(fs.readdirSync(path.join(root, 'sessions'))).toEqual([session]);
  expect(namesIn(root, session)).toHaveLength(2);
});

it('keeps 30 sessions apart that are created at once', async () => {
  const root = path.join(tempDir(), 'root');
  const sessions = Array.from({ length: 30 }, (_, number) => `session-number-${number}`);
  const writers = await startWriters(sessions.map((session) => ({ root, session, entries: [session, 'again'] })));
  for (const writer of writers) writer.go();
  const ends = await Promise.all(writers.map((writer) => writer.ended));

  expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
  expect(fs.readdirSync(path.join(root, 'sessions')).sort()).toEqual([...sessions].sort());
  for (const session of sessions) expect(historyIn(root, session)).toEqual([session, 'again']);
});
