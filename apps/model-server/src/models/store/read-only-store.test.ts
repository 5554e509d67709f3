import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { sha256, startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { BlobStore } from './blob-store.js';
import { parseDigest } from './digest.js';
import { ShardLinks } from './shard-links.js';
import { StoreFolder } from './store-folder.js';

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
