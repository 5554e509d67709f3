import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, largeGgufBytes } from '../../../test/gguf-bytes.js';
import { impatient, openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256, startTestRegistry, type TestRegistryOptions } from '../../../test/test-registry.js';
import { closeAfterEach, startTestServer } from '../../../test/test-server.js';
import type { ModelLibraryOptions } from '../open-model-library.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const large = largeGgufBytes(12);
const config = '{"model_format":"gguf","model_family":"llama","model_type":"1B","file_type":"Q4_K_M"}';

async function arrange(options: TestRegistryOptions = {}, transfer: ModelLibraryOptions['transfer'] = {}) {
  const registry = closeLater(await startTestRegistry(options));
  const store = await newFolder();
  const library = closeLater(openTestLibrary(store, { transfer }));
  const name = `http://${registry.host}/team/tiny:1b`;
  const shownName = `${registry.host}/team/tiny:1b`;
  const blobFile = (digest: string) => path.join(store, 'blobs', digest.replace(':', '-'));
  return { registry, store, library, name, shownName, blobFile };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

test('a pulled model is there byte for byte, and its progress reads as clients expect', async () => {
  const { registry, store, library, name, shownName, blobFile } = await arrange();
  const { digests } = registry.add('team/tiny:1b', { model: large, system: 'Be brief.', config });
  const { progress, statuses } = await pullWith(library, name);
  const short = (digest = '') => `pulling ${digest.slice(7, 19)}`;
  expect(statuses).toEqual([
    'pulling manifest',
    short(digests['model']),
    short(digests['system']),
    short(digests['config']),
    'verifying sha256 digest',
    'writing manifest',
    'success',
  ]);
  const ofModel = progress.filter((one) => one.digest === digests['model']);
  expect(ofModel[0]).toMatchObject({ totalBytes: large.length, completedBytes: 0 });
  expect(ofModel.at(-1)).toMatchObject({ totalBytes: large.length, completedBytes: large.length });
  const counts = ofModel.map((one) => one.completedBytes ?? 0);
  expect([...counts].sort((a, b) => a - b)).toEqual(counts);
  expect(large.equals(await readFile(blobFile(digests['model'] ?? '')))).toBe(true);
  const manifest = path.join(store, 'manifests', registry.host, 'team', 'tiny', '1b');
  expect(await readFile(manifest, 'utf8')).toBe(registry.manifests.get('team/tiny:1b'));
  expect(await library.catalogue.find(shownName)).toMatchObject({ system: 'Be brief.', name: shownName });
  const ranges = registry.requests.filter((request) => request.headers.range !== undefined);
  expect(ranges.length).toBeGreaterThan(2);
  expect(await filesBelow(path.join(store, '.hearth'))).toEqual([]);
});

test('a second pull fetches only the manifest', async () => {
  const { registry, library, name } = await arrange();
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  await pullWith(library, name);
  registry.requests.length = 0;
  const { statuses } = await pullWith(library, name);
  expect(registry.requests.map((request) => request.path)).toEqual(['/v2/team/tiny/manifests/1b']);
  expect(statuses.at(-1)).toBe('success');
});

test('a token is known by either of its names', async () => {
  const { registry, library, name } = await arrange({ requireToken: true, tokenField: 'access_token' });
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  expect((await pullWith(library, name)).statuses.at(-1)).toBe('success');
});

test('a registry that redirects to storage gets the token, and the storage never does', async () => {
  const { registry, library, name, shownName } = await arrange({ redirectBlobs: true, requireToken: true });
  registry.add('team/tiny:1b', { model: large, config });
  await pullWith(library, name);
  expect(await library.catalogue.find(shownName)).toBeDefined();
  const withToken = registry.requests.filter((request) =>
    request.headers.authorization?.startsWith('Bearer '),
  );
  expect(withToken.length).toBeGreaterThan(0);
  expect(registry.storage?.requests.length).toBeGreaterThan(1);
  for (const request of registry.storage?.requests ?? []) {
    expect(request.headers.authorization).toBeUndefined();
  }
});

test('the signed proof of who we are is not given to a foreign place that a challenge names', async () => {
  const stranger = closeLater(
    await startTestServer((_, response) => {
      response.end('{"token":"x"}');
    }),
  );
  const { registry, library, name } = await arrange({ requireToken: true, realm: `${stranger.url}/steal` });
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'upstream-failed' });
  expect(stranger.requests).toHaveLength(1);
  expect(stranger.requests[0]?.headers.authorization).toBeUndefined();
});

test('plain http needs "insecure", and nothing is sent without it', async () => {
  const { registry, library, name } = await arrange();
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  await expect(pullWith(library, name, { insecure: false })).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining('insecure'),
  });
  expect(registry.requests).toEqual([]);
});

test('a model that the registry does not have is not found', async () => {
  const { library, name } = await arrange();
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'model-not-found',
    message: 'pull model manifest: file does not exist',
  });
});

test('a registry without TLS that is asked with it is told so at once, with the way around', async () => {
  const { registry, library } = await arrange();
  await expect(pullWith(library, `${registry.host}/team/tiny:1b`)).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringMatching(/does not speak TLS; write http:\/\//),
  });
  expect(registry.requests).toEqual([]);
});

test('a registry that cannot be reached is named', async () => {
  const { library } = await arrange();
  // Nothing listens on this port, and no other test is ever given it.
  await expect(pullWith(library, 'http://127.0.0.1:1/team/tiny:1b')).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringContaining('127.0.0.1:1'),
  });
});

test('connections that are cut again and again only cost the bytes not yet received', async () => {
  const { registry, library, name, shownName, blobFile } = await arrange();
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  let served = 0;
  registry.fault = (digest) => {
    if (digest !== digests['model']) return undefined;
    served += 1;
    return served % 3 === 0 ? undefined : { kind: 'cut', afterBytes: 700_000 };
  };
  await pullWith(library, name);
  expect(served).toBeGreaterThan(6);
  expect(large.equals(await readFile(blobFile(digests['model'] ?? '')))).toBe(true);
  expect(await library.catalogue.find(shownName)).toBeDefined();
});

test('a connection on which nothing moves is given up and its part fetched by another', async () => {
  const { registry, library, name, blobFile } = await arrange({}, impatient);
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  let stalls = 0;
  registry.fault = (digest) => {
    if (digest !== digests['model'] || stalls >= 3) return undefined;
    stalls += 1;
    return { kind: 'stall', afterBytes: 100_000 };
  };
  await pullWith(library, name);
  expect(stalls).toBe(3);
  expect(large.equals(await readFile(blobFile(digests['model'] ?? '')))).toBe(true);
});

test.each([500, 502, 503, 429])('answers of %d are asked again', async (status) => {
  const { registry, library, name, shownName } = await arrange();
  const { digests } = registry.add('team/tiny:1b', { model: ggufBytes(), config });
  let refusals = 0;
  registry.fault = (digest) => {
    if (digest !== digests['model'] || refusals >= 2) return undefined;
    refusals += 1;
    return { kind: 'status', status, retryAfter: 0 };
  };
  await pullWith(library, name);
  expect(refusals).toBe(2);
  expect(await library.catalogue.find(shownName)).toBeDefined();
});

test('a storage address whose time is over is asked for anew', async () => {
  const { registry, library, name, blobFile } = await arrange({ redirectBlobs: true });
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  let answers = 0;
  registry.fault = (digest) => {
    if (digest !== digests['model']) return undefined;
    answers += 1;
    if (answers <= 2) return { kind: 'cut', afterBytes: 300_000 };
    return answers <= 4 ? { kind: 'status', status: 403 } : undefined;
  };
  await pullWith(library, name);
  expect(large.equals(await readFile(blobFile(digests['model'] ?? '')))).toBe(true);
});

test('a server that knows no ranges is read in one piece', async () => {
  const { registry, library, name, blobFile } = await arrange();
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  registry.fault = () => ({ kind: 'no-ranges' });
  await pullWith(library, name);
  expect(large.equals(await readFile(blobFile(digests['model'] ?? '')))).toBe(true);
});

test.each([
  [
    'a wrong digest',
    'digest mismatch',
    (registry: { blobs: Map<string, Buffer> }, digest: string) => {
      registry.blobs.set(digest, Buffer.alloc(large.length, 1));
    },
  ],
  [
    'a file of another length',
    'were announced',
    (registry: { blobs: Map<string, Buffer> }, digest: string) => {
      registry.blobs.set(digest, Buffer.concat([large, Buffer.alloc(10)]));
    },
  ],
])('%s fails the pull, leaves no model and harms none', async (_, message, spoil) => {
  const { registry, store, library, name, shownName } = await arrange();
  const small = ggufBytes();
  registry.add('team/tiny:1b', { model: small, config });
  await pullWith(library, name);
  const before = await library.catalogue.find(shownName);
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  spoil(registry, digests['model'] ?? '');
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'upstream-failed',
    message: expect.stringContaining(message),
  });
  expect(await library.catalogue.find(shownName)).toEqual(before);
  expect(await readdir(path.join(store, 'blobs'))).not.toContain(digests['model']?.replace(':', '-'));
});

test('a part other than the one asked for is refused', async () => {
  const { registry, library, name } = await arrange();
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  registry.fault = () => ({ kind: 'wrong-part' });
  await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'upstream-failed' });
});

test.each([
  ['is no JSON', '<html>'],
  [
    'has a digest that leads out of the store',
    JSON.stringify({
      schemaVersion: 2,
      config: { mediaType: 'c', digest: 'sha256:../../../../etc/passwd', size: 1 },
      layers: [],
    }),
  ],
  [
    'promises negative sizes',
    JSON.stringify({
      schemaVersion: 2,
      config: { mediaType: 'c', digest: sha256('x'), size: -1 },
      layers: [],
    }),
  ],
])('a manifest that %s is refused', async (_, text) => {
  const { registry, store, library, name } = await arrange();
  registry.manifests.set('team/tiny:1b', text);
  await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'upstream-failed' });
  expect(await filesBelow(store)).toEqual([]);
});

test('what is no GGUF does not become a model, and its bytes are not kept', async () => {
  const { registry, store, library, name } = await arrange();
  registry.add('team/tiny:1b', { model: 'just some text', config });
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('GGUF'),
  });
  expect(await filesBelow(store)).toEqual([]);
});

test('a download that cannot fit is refused before its first byte', async () => {
  const { registry, library, name } = await arrange({}, { freeBytes: async () => 70_000_000 });
  registry.add('team/tiny:1b', { model: large, config });
  await expect(pullWith(library, name)).rejects.toMatchObject({
    code: 'does-not-fit',
    message: 'not enough disk space: 12.6 MB needed, 70.0 MB free',
  });
  expect(registry.requests).toHaveLength(1);
});

test('callers who ask for the same model share one download', async () => {
  const { registry, library, name } = await arrange();
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  const pulls = await Promise.all([1, 2, 3].map(() => pullWith(library, name)));
  for (const { statuses } of pulls) expect(statuses.at(-1)).toBe('success');
  const asked = registry.requests
    .filter((request) => request.path.endsWith(digests['model'] ?? '?'))
    .map((request) => request.headers.range);
  expect(new Set(asked).size).toBe(asked.length);
});

test('the download goes on while one caller is left, ends with the last, and is taken up from there', async () => {
  const { registry, library, name, blobFile } = await arrange({}, { connections: 1, stallMs: 60_000 });
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  const digest = digests['model'] ?? '';
  const pausedAt = 9 * 1024 * 1024;
  registry.fault = (of) => (of === digest ? { kind: 'stall', afterBytes: pausedAt } : undefined);
  const first = new AbortController();
  const second = new AbortController();
  const seen = { first: 0, second: 0 };
  const watch = (who: 'first' | 'second', signal: AbortSignal) =>
    library.pull(name, {
      insecure: true,
      signal,
      report: ({ completedBytes }) => {
        seen[who] = Math.max(seen[who], completedBytes ?? 0);
      },
    });
  const pulls = [watch('first', first.signal), watch('second', second.signal)];
  const outcomes = Promise.allSettled(pulls);
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };
  await until(() => seen.first >= 1024 * 1024 && seen.second >= 1024 * 1024);
  first.abort(new Error('left'));
  await expect(pulls[0]).rejects.toThrow('left');
  await until(() => seen.second >= 4 * 1024 * 1024);
  second.abort(new Error('left too'));
  await outcomes;
  registry.fault = () => undefined;
  registry.requests.length = 0;
  await pullWith(library, name);
  const starts = registry.requests
    .filter((request) => request.path.endsWith(digest))
    .map((request) => Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1]));
  expect(Math.min(...starts)).toBeGreaterThanOrEqual(4 * 1024 * 1024);
  expect(large.equals(await readFile(blobFile(digest)))).toBe(true);
});

test('what an earlier run left torn is noticed and fetched anew', async () => {
  const { registry, store, library, name, blobFile } = await arrange({}, { connections: 1 });
  const { digests } = registry.add('team/tiny:1b', { model: large, config });
  const digest = digests['model'] ?? '';
  let answers = 0;
  registry.fault = (of) => {
    if (of !== digest) return undefined;
    answers += 1;
    return answers === 1 ? { kind: 'cut', afterBytes: 5_000_000 } : { kind: 'status', status: 404 };
  };
  await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'upstream-failed' });
  const partial = path.join(store, '.hearth', 'downloads', `${digest.slice(7)}.data`);
  const torn = await readFile(partial);
  torn.fill(0, 1000, 2000);
  await writeFile(partial, torn);
  registry.fault = () => undefined;
  await pullWith(library, name);
  expect(large.equals(await readFile(blobFile(digest)))).toBe(true);
});

test('what dead programs have left is taken away in time, and not before', async () => {
  const { store, library } = await arrange();
  const draft = path.join(store, '.hearth', 'drafts', 'old');
  const download = path.join(store, '.hearth', 'downloads', 'old.data');
  for (const file of [draft, download]) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'x');
  }
  const day = 24 * 60 * 60 * 1000;
  await library.tidy(new Date());
  expect(await filesBelow(store)).toHaveLength(2);
  await library.tidy(new Date(Date.now() + 2 * day));
  expect(await filesBelow(store)).toEqual([download]);
  await library.tidy(new Date(Date.now() + 31 * day));
  expect(await filesBelow(store)).toEqual([]);
});

test('a tag that moves to another model takes the old one’s files away, and only those', async () => {
  const { registry, store, library, name } = await arrange();
  const shared = registry.add('team/tiny:1b', { model: ggufBytes(), license: 'MIT', config }).digests;
  await pullWith(library, name);
  const moved = registry.add('team/tiny:1b', { model: large, license: 'MIT', config }).digests;
  const { statuses } = await pullWith(library, name);
  expect(statuses).toContain('removing unused layers');
  const blobs = await readdir(path.join(store, 'blobs'));
  const fileOf = (digest = '') => digest.replace(':', '-');
  expect(blobs.sort()).toEqual(
    [fileOf(moved['model']), fileOf(moved['license']), fileOf(moved['config'])].sort(),
  );
  expect(blobs).not.toContain(fileOf(shared['model']));
});

test('the bundled model is pulled from nowhere, so it works without a network', async () => {
  const { library } = await arrange();
  const { statuses } = await pullWith(library, 'ember:latest', { insecure: false });
  expect(statuses).toEqual([
    'pulling manifest',
    'pulling 89ceedf0257f',
    'verifying sha256 digest',
    'writing manifest',
    'success',
  ]);
});
