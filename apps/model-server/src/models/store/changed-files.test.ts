import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256 } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { BlobMarks } from './blob-marks.js';
import { BlobStore } from './blob-store.js';
import { BlobWriter } from './blob-writer.js';
import type { Digest } from './digest.js';
import { StoreFolder } from './store-folder.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const { signal } = new AbortController();

test('a model whose file in the store was cut or has grown is shown with its problem, and without it when it is put back', async () => {
  const store = await newFolder();
  const library = closeLater(openTestLibrary(store));
  await library.copy('ember', 'kept', signal);
  const { ggufPath } = await library.catalogue.find('kept');
  const whole = await readFile(ggufPath);
  // A file of its own: the blob may share its bytes with the bundled model.
  const write = async (bytes: Buffer) => {
    await writeFile(`${ggufPath}.new`, bytes);
    await rename(`${ggufPath}.new`, ggufPath);
  };
  for (const changed of [whole.subarray(0, 4), Buffer.concat([whole, Buffer.from('more')])]) {
    await write(changed);
    const [listed] = (await library.catalogue.list()).filter(({ name }) => name === 'kept:latest');
    expect(listed?.problem).toContain('changed its size');
    await expect(library.catalogue.resolve('kept')).rejects.toMatchObject({ code: 'model-unloadable' });
  }
  await write(whole);
  expect(await library.catalogue.find('kept')).not.toHaveProperty('problem');
});

test('a file that changes while it is taken into the store is refused, and nothing of it stays', async () => {
  const folder = new StoreFolder(await newFolder());
  const file = path.join(await newFolder(), 'model.gguf');
  await writeFile(file, ggufBytes());
  // Asked once the file is hashed and before it is taken in.
  class Meddling extends BlobStore {
    override async sizeOf(digest: Digest) {
      await appendFile(file, 'more');
      return await super.sizeOf(digest);
    }
  }
  const writer = new BlobWriter(folder, new Meddling(folder), new BlobMarks(folder, 'uploads'));
  await expect(writer.importFile(file, signal)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('was changed while it was read'),
  });
  expect(await readdir(path.join(folder.own, 'drafts'))).toEqual([]);
  const calm = new BlobWriter(folder, new BlobStore(folder), new BlobMarks(folder, 'uploads'));
  const { digest } = await calm.importFile(file, signal);
  expect(digest).toBe(sha256(await readFile(file)));
});
