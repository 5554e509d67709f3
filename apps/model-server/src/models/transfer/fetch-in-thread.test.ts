import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { largeGgufBytes } from '../../../test/gguf-bytes.js';
import { impatient, openTestLibrary, pullWith, threadEntry } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestRegistry, type TestRegistryOptions } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { ModelLibraryOptions } from '../open-model-library.js';
import { defaultTuning } from './download-file.js';
import { fetchInThread } from './fetch-in-thread.js';
import { HttpClient } from './http-client.js';
import { UrlSource } from './url-source.js';

jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const model = largeGgufBytes(12);
const threadFromBytes = 1024 * 1024;

async function arrange(options: TestRegistryOptions = {}, library: Partial<ModelLibraryOptions> = {}) {
  const registry = closeLater(await startTestRegistry(options));
  const digest = registry.add('team/big:1', { model, config: '{}' }).digests['model'] ?? '';
  const store = await newFolder();
  const transfer = { threadFromBytes, ...library.transfer };
  const opened = closeLater(openTestLibrary(store, { ...library, transfer }));
  const blob = path.join(store, 'blobs', digest.replace(':', '-'));
  return { registry, digest, store, library: opened, name: `http://${registry.host}/team/big:1`, blob };
}

test('a large download is byte for byte right, with the token fetched outside its thread and kept from the storage', async () => {
  const { registry, library, name, blob, digest } = await arrange({
    redirectBlobs: true,
    requireToken: true,
  });
  const { progress } = await pullWith(library, name);
  expect(model.equals(await readFile(blob))).toBe(true);
  const counts = progress.filter((one) => one.digest === digest).map((one) => one.completedBytes ?? 0);
  expect(counts.at(-1)).toBe(model.length);
  expect([...counts].sort((a, b) => a - b)).toEqual(counts);
  expect(registry.storage?.requests.length).toBeGreaterThan(1);
  for (const one of registry.storage?.requests ?? []) expect(one.headers.authorization).toBeUndefined();
});

test.each([1, 4])(
  'a file so large that its hash follows in a thread is right with %d connections',
  async (connections) => {
    const { registry, store, library } = await arrange({}, { transfer: { connections } });
    const huge = largeGgufBytes(40);
    const { digests } = registry.add('team/huge:1', { model: huge, config: '{}' });
    const digest = digests['model'] ?? '';
    let served = 0;
    registry.fault = (of) => {
      if (of !== digest) return undefined;
      served += 1;
      return served % 2 === 1 ? { kind: 'cut', afterBytes: 5_000_001 } : undefined;
    };
    await pullWith(library, `http://${registry.host}/team/huge:1`);
    const file = path.join(store, 'blobs', digest.replace(':', '-'));
    expect(huge.equals(await readFile(file))).toBe(true);
  },
);

test('cut and stalled connections only cost the bytes not yet received', async () => {
  const { registry, library, name, blob, digest } = await arrange({}, { transfer: impatient });
  let served = 0;
  registry.fault = (of) => {
    if (of !== digest) return undefined;
    served += 1;
    if (served % 3 === 0) return undefined;
    return { kind: served % 3 === 1 ? 'cut' : 'stall', afterBytes: 700_000 };
  };
  await pullWith(library, name);
  expect(served).toBeGreaterThan(4);
  expect(model.equals(await readFile(blob))).toBe(true);
});

test('a caller who leaves ends the thread, and the next one goes on from there', async () => {
  const { registry, library, name, blob, digest } = await arrange(
    {},
    { transfer: { connections: 1, stallMs: 60_000 } },
  );
  registry.fault = (of) => (of === digest ? { kind: 'stall', afterBytes: 4.5 * 1024 * 1024 } : undefined);
  const leave = new AbortController();
  const left = library.pull(name, {
    insecure: true,
    signal: leave.signal,
    report: ({ completedBytes }) => {
      if ((completedBytes ?? 0) >= 2 * 1024 * 1024) leave.abort(new Error('left'));
    },
  });
  await expect(left).rejects.toThrow('left');
  registry.fault = () => undefined;
  registry.requests.length = 0;
  await pullWith(library, name);
  const starts = registry.requests
    .filter((request) => request.path.endsWith(digest))
    .map((request) => Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1]));
  expect(Math.min(...starts)).toBeGreaterThanOrEqual(1024 * 1024);
  expect(model.equals(await readFile(blob))).toBe(true);
});

test('wrong bytes fail the pull and leave nothing', async () => {
  const { registry, store, library, name, digest } = await arrange();
  registry.blobs.set(digest, Buffer.alloc(model.length, 1));
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringContaining('digest mismatch'),
  });
  expect(await readdir(path.join(store, '.hearth', 'downloads'))).toEqual([]);
});

test('what goes wrong with a login, outside the thread, is told as it is', async () => {
  const refusal = new GenerationError('conflict', 'the logins cannot be read');
  const client = new HttpClient({ userAgent: 'test', stallMs: 1000 });
  const url = new URL('http://127.0.0.1:9/never-asked');
  const authorization = async () => {
    throw refusal;
  };
  const job = {
    partialPath: path.join(await newFolder(), 'partial'),
    sizeBytes: 10,
    digestHex: '',
    tuning: defaultTuning,
    mayBlock: true,
  };
  const fetching = fetchInThread({
    entry: threadEntry,
    work: { job, url: url.href, allowPlainHttp: true, client: { userAgent: 'test', stallMs: 1000 } },
    source: new UrlSource({ client, url, authorization, allowPlainHttp: true }),
    signal: new AbortController().signal,
    report: () => undefined,
  });
  await expect(fetching).rejects.toBe(refusal);
});

test('a thread that cannot be started fails the pull', async () => {
  const missing = new URL('./no-such-program.js', import.meta.url);
  const { library, name } = await arrange({}, { transfer: { threadEntry: missing } });
  await expect(pullWith(library, name)).rejects.toThrow('no-such-program');
});
