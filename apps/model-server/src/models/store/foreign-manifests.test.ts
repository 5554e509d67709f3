import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ggufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256 } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { parseDigest } from './digest.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const day = 24 * 60 * 60 * 1000;
const model = ggufBytes();
const shared = sha256(model).replace(':', '-');

/** A store with `mine`, and the file of a manifest that another runner wrote; what it needs is the model of `mine`. */
async function arrange(place: readonly string[] = ['registry.test', 'library', 'other', 'latest']) {
  const store = await newFolder();
  const library = closeLater(openTestLibrary(store));
  const upload = async (content: Buffer) => {
    const digest = parseDigest(sha256(content));
    await library.blobs.writeStream(digest, Readable.from([content]));
    return digest;
  };
  const files = { 'model.gguf': await upload(model) };
  const silent = { signal: new AbortController().signal, report: () => undefined };
  await library.create({ name: 'mine', files }, silent);
  const foreign = path.join(store, 'manifests', ...place);
  await mkdir(path.dirname(foreign), { recursive: true });
  return { library, foreign, upload, blobs: () => readdir(path.join(store, 'blobs')) };
}

const layer = { mediaType: 'application/vnd.ollama.image.model', digest: shared, size: model.length };
const old = { schemaVersion: 2, config: { mediaType: 'x', digest: '', size: 0 }, layers: [layer] };

test.each([
  ['with an empty digest', ['registry.test', 'library', 'other', 'latest'], JSON.stringify(old)],
  ['over 4 MB', ['registry.test', 'library', 'other', 'latest'], JSON.stringify(old).padEnd(5_000_000)],
  [
    'in upper case',
    ['registry.test', 'library', 'other', 'latest'],
    `{"x":"SHA256:${shared.slice(7).toUpperCase()}"}`,
  ],
  ['under a name that we refuse', ['registry.test', 'library', 'other', 'a tag'], JSON.stringify(old)],
])('a blob that a manifest %s names stays when our model goes', async (_, place, text) => {
  const { library, foreign, blobs } = await arrange(place);
  await writeFile(foreign, text);
  await library.delete('mine');
  expect(await blobs()).toEqual([shared]);
  expect(await readFile(foreign, 'utf8')).toBe(text);
});

test('while a manifest cannot be read at all no blob goes, and what waited to go does so once it can', async () => {
  const { library, foreign, upload, blobs } = await arrange();
  const forgotten = (await upload(Buffer.from('forgotten'))).replace(':', '-');
  await symlink('latest', foreign);
  await library.delete('mine');
  await library.tidy(new Date(Date.now() + 2 * day));
  expect(await blobs()).toEqual(expect.arrayContaining([shared, forgotten]));
  expect(await library.catalogue.list()).toMatchObject([{ name: 'ember:latest' }]);
  await rm(foreign);
  await library.tidy(new Date(Date.now() + 2 * day));
  expect(await blobs()).not.toContain(forgotten);
});
