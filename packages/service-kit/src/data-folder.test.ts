import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { defaultDataFolder, ensureWritableFolder } from './data-folder.js';
import { StartupError } from './startup-error.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'data-folder-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the default follows XDG_DATA_HOME, and ignores a relative one as the rules say', () => {
  expect(defaultDataFolder({ XDG_DATA_HOME: '/data' })).toBe('/data/hearth');
  const fallback = path.join(homedir(), '.local', 'share', 'hearth');
  expect(defaultDataFolder({ XDG_DATA_HOME: 'data' })).toBe(fallback);
  expect(defaultDataFolder({})).toBe(fallback);
});

test('a missing folder is made, private to its owner', () => {
  const made = ensureWritableFolder(path.join(folder, 'a', 'b'));
  expect(statSync(made).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made is one line that names it and the way out', () => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(() => ensureWritableFolder(path.join(file, 'data'))).toThrow(StartupError);
  expect(() => ensureWritableFolder(path.join(file, 'data'))).toThrow(
    /cannot write to the data folder .*HEARTH_DATA/,
  );
});
