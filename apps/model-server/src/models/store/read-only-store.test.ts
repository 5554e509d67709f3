import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256, startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { shardPaths } from '../gguf/gguf-shards.js';
import { BlobStore } from './blob-store.js';
import { type Digest, parseDigest } from './digest.js';
import { ShardLinks } from './shard-links.js';
import { StoreFolder } from './store-folder.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();

/** Nobody may make a folder here, not even root: on Linux the kernel's own tree, on a Mac the sealed system volume. */
const lockedFolder = '/sys/hearth-store';

test('a store that may only be read serves what it has, and every change is refused with the reason', async () => {
  const registry = closeLater(await startTestRegistry());
  registry.add('a/b:c', { model: ggufBytes(), config: '{}' });
  const library = closeLater(openTestLibrary(lockedFolder));
  const { signal } = new AbortController();
  const options = { signal, report: () => undefined };
  const upload = () => library.blobs.writeStream(parseDigest(sha256('x')), Readable.from(['x']));
  for (const change of [
    () => pullWith(library, `http://${registry.host}/a/b:c`),
    () => library.create({ name: 'mine', from: 'ember', system: 'Hi' }, options),
    () => library.copy('ember', 'mine', signal),
    () => library.delete('ember'),
    upload,
  ]) {
    await expect(change()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not write to it'),
    });
  }
  expect(await library.catalogue.list()).toMatchObject([{ name: 'ember:latest' }]);
});

test('a model in several files whose links cannot be made does not hide the others', async () => {
  const folder = new StoreFolder(lockedFolder);
  const links = new ShardLinks(folder, new BlobStore(folder));
  const layer = { mediaType: 'x', digest: parseDigest(sha256('x')), size: 1 };
  const first = await links.firstPath(parseDigest(sha256('m')), [layer, layer]);
  expect(first).toContain('model-00001-of-00002.gguf');
});

test('a model in several files of a store that cannot be written to is served by links beside it, also when the store moves', async () => {
  const place = await newFolder();
  const store = path.join(place, 'before');
  const linksFolder = path.join(place, 'links');
  const library = closeLater(openTestLibrary(store));
  const parts = [ggufBytes(), ggufBytes({ tensors: [{ name: 'rest.weight', shape: [64, 100] }] })];
  const files: Record<string, Digest> = {};
  for (const [position, part] of parts.entries()) {
    const digest = parseDigest(sha256(part));
    await library.blobs.writeStream(digest, Readable.from([part]));
    files[`x-0000${position + 1}-of-00002.gguf`] = digest;
  }
  await library.create(
    { name: 'big', files },
    { signal: new AbortController().signal, report: () => undefined },
  );
  // Nobody makes a folder in a file, not even root.
  await rm(path.join(store, '.hearth'), { recursive: true });
  await writeFile(path.join(store, '.hearth'), '');
  const serves = async (from: string) => {
    const entry = await closeLater(openTestLibrary(from, { linksFolder })).catalogue.find('big');
    expect(entry).not.toHaveProperty('problem');
    for (const [position, file] of shardPaths(entry.ggufPath).entries()) {
      expect(parts[position]?.equals(await readFile(file))).toBe(true);
    }
    return entry.ggufPath;
  };
  expect(await serves(store)).toContain(linksFolder);
  const moved = path.join(place, 'after');
  await rename(store, moved);
  expect(await serves(moved)).toContain(linksFolder);
  await rm(path.join(moved, '.hearth'));
  await closeLater(openTestLibrary(moved, { linksFolder })).delete('big');
  expect(await readdir(linksFolder)).toEqual([]);
});
