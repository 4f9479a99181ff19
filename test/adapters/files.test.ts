/** Folders that others make at the same moment. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { nodeFiles } from '../../adapters/store/files.ts';
import { tempDir } from '../support/temp-dir.ts';

afterEach(() => vi.restoreAllMocks());

/** Just after the next attempt to make a folder has failed, another process does this. */
function afterNextFailure(act: () => void): void {
  const mkdir = fs.mkdirSync;
  const spy = vi.spyOn(fs, 'mkdirSync').mockImplementation(((...args: Parameters<typeof mkdir>) => {
    try {
      return mkdir(...args);
    } catch (error) {
      spy.mockRestore();
      act();
      throw error;
    }
  }) as typeof mkdir);
}

it('makes a folder whose parent appears between two looks', () => {
  const parent = path.join(tempDir(), 'parent');
  afterNextFailure(() => fs.mkdirSync(parent));
  nodeFiles.makeFolders(path.join(parent, 'folder'));
  expect(fs.statSync(path.join(parent, 'folder')).mode & 0o777).toBe(0o700);
});

it('is content when another makes the whole path meanwhile', () => {
  const folder = path.join(tempDir(), 'parent', 'folder');
  afterNextFailure(() => fs.mkdirSync(folder, { recursive: true }));
  nodeFiles.makeFolders(folder);
  expect(fs.statSync(folder).isDirectory()).toBe(true);
});

it('gives up where nothing can be made in a folder that is there, and where a file is in the way', () => {
  expect(() => nodeFiles.makeFolders('/proc/self/nothing/below')).toThrow('ENOENT');
  const file = path.join(tempDir(), 'file');
  fs.writeFileSync(file, '');
  expect(() => nodeFiles.makeFolders(file)).toThrow('EEXIST');
  expect(() => nodeFiles.makeFolders(path.join(file, 'below'))).toThrow('ENOTDIR');
});
