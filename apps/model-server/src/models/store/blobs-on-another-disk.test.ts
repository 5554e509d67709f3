import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const day = 24 * 60 * 60 * 1000;

let elsewhere: string | undefined;
afterEach(async () => {
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true });
});

/** A folder on another disk than the one for temporary files where this machine has such a place, else on the same. */
async function folderElsewhere(): Promise<{ readonly folder: string; readonly isOtherDisk: boolean }> {
  const device = async (folder: string) => (await stat(folder).catch(() => undefined))?.dev;
  const here = await device(tmpdir());
  const isOtherDisk = ![here, undefined].includes(await device('/dev/shm'));
  elsewhere = await mkdtemp(path.join(isOtherDisk ? '/dev/shm' : tmpdir(), 'hearth-test-'));
  return { folder: elsewhere, isOtherDisk };
}

test('blobs may be on another disk than the rest of the store, which needs room too', async () => {
  const registry = closeLater(await startTestRegistry());
  const { digests } = registry.add('team/tiny:1b', { model: ggufBytes(), config: '{}' });
  const name = `http://${registry.host}/team/tiny:1b`;
  const store = await newFolder();
  const { folder, isOtherDisk } = await folderElsewhere();
  await symlink(folder, path.join(store, 'blobs'));
  if (isOtherDisk) {
    const freeBytes = async (of: string) => (of.endsWith('blobs') ? 0 : Number.MAX_SAFE_INTEGER);
    const full = closeLater(openTestLibrary(store, { transfer: { freeBytes } }));
    await expect(pullWith(full, name)).rejects.toMatchObject({ code: 'does-not-fit' });
  }
  const library = closeLater(openTestLibrary(store));
  await pullWith(library, name);
  const blob = path.join(folder, (digests['model'] ?? '').replace(':', '-'));
  expect(ggufBytes().equals(await readFile(blob))).toBe(true);
  const silent = { signal: new AbortController().signal, report: () => undefined };
  await library.create({ name: 'mine', from: 'ember', system: 'Hi' }, silent);
  expect(await library.catalogue.find('mine')).not.toHaveProperty('problem');
  for (const file of await readdir(folder)) expect(file).toMatch(/^sha256-[0-9a-f]{64}$/);
  expect(await readdir(path.join(store, '.hearth', 'drafts'))).toEqual([]);
});

test('what a program that died on its way to another disk has left there goes after a day', async () => {
  const store = await newFolder();
  const { folder } = await folderElsewhere();
  await symlink(folder, path.join(store, 'blobs'));
  const left = `sha256-${'a'.repeat(64)}`;
  for (const file of [left, `${left}.x.draft`]) await writeFile(path.join(folder, file), '');
  const library = closeLater(openTestLibrary(store));
  await library.tidy(new Date());
  expect(await readdir(folder)).toHaveLength(2);
  await library.tidy(new Date(Date.now() + 2 * day));
  expect(await readdir(folder)).toEqual([left]);
});
