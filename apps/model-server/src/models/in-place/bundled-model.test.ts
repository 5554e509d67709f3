import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256 } from '../../../test/test-registry.js';
import { GgufFactsCache } from '../gguf/gguf-facts-cache.js';
import { StoreFolder } from '../store/store-folder.js';
import { BundledModel } from './bundled-model.js';

const newFolder = temporaryFolders();

test('a bundled model that could not be hashed is hashed again the next time', async () => {
  const file = path.join(await newFolder(), 'ember.gguf');
  const bundled = new BundledModel(file, new StoreFolder(await newFolder()), new GgufFactsCache());
  await expect(bundled.fileDigest()).rejects.toThrow('ENOENT');
  await writeFile(file, ggufBytes());
  expect(await bundled.fileDigest()).toEqual({ digest: sha256(ggufBytes()), sizeBytes: ggufBytes().length });
});
