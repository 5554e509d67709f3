import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { emberPath, openTestLibrary } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const silent = { signal: new AbortController().signal, report: () => undefined };

const logger = import.meta.resolve('@hearth/service-kit/logger');
const opener = new URL('../../../dist/models/open-model-library.js', import.meta.url);

test('where not a byte can be written a model can still be deleted, and no lock stays behind', async () => {
  const store = await newFolder();
  const library = closeLater(openTestLibrary(store));
  await library.create({ name: 'mine', from: 'ember', system: 'Hi' }, silent);
  await library.create({ name: 'other', from: 'ember', system: 'Hello' }, silent);
  const options = { storeFolder: store, modelFolders: [], bundledModelPath: emberPath };
  const program = `
    const { createLogger } = await import(${JSON.stringify(logger)});
    const { openModelLibrary } = await import(${JSON.stringify(opener)});
    const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
    await openModelLibrary({ ...${JSON.stringify(options)}, logger }).delete('mine');
  `;
  // To a program that may make no file longer, every disk is full.
  const node = [process.execPath, '--input-type=module', '--eval', program];
  await promisify(execFile)('/bin/sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node]);
  const names = (await library.catalogue.list()).map((entry) => entry.name);
  expect(names.sort()).toEqual(['ember:latest', 'other:latest']);
  expect(await readdir(path.join(store, '.hearth', 'locks'))).toEqual([]);
  await library.delete('other');
});
