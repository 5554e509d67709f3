import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, largeGgufBytes } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { bytesAskedFor, sha256, startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';
import type { ModelLibrary } from '../model-library.js';
import type { LibraryProgress } from '../pull/progress.js';
import { PartialFile } from '../transfer/partial-file.js';
import { parseDigest } from './digest.js';

jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const megabyte = 1024 * 1024;
const day = 24 * 60 * 60 * 1000;
const silent = { signal: new AbortController().signal, report: () => undefined };

async function twoServers() {
  const registry = closeLater(await startTestRegistry());
  const store = await newFolder();
  const open = () => closeLater(openTestLibrary(store));
  return { registry, store, one: open(), two: open(), name: `http://${registry.host}/team/tiny:1b` };
}

/** A pull whose progress can be waited for. */
function pullUntil(library: ModelLibrary, name: string, bytes: number, signal = silent.signal) {
  const reaching = new AbortController();
  const report = ({ completedBytes = 0 }: LibraryProgress) => {
    if (completedBytes >= bytes) reaching.abort();
  };
  const reached = once(reaching.signal, 'abort');
  return { reached, end: library.pull(name, { insecure: true, signal, report }) };
}

async function lockOf(store: string, name: string): Promise<string> {
  const file = path.join(store, '.hearth', 'locks', name);
  await mkdir(path.dirname(file), { recursive: true });
  return file;
}

test('a server whose caller leaves a download hands it to the one that waits for it', async () => {
  const { registry, store, one, two, name } = await twoServers();
  const model = largeGgufBytes(6);
  const digest = registry.add('team/tiny:1b', { model, config: '{}' }).digests['model'] ?? '';
  registry.fault = (of) => (of === digest ? { kind: 'stall', afterBytes: 2.5 * megabyte } : undefined);
  const leave = new AbortController();
  const first = pullUntil(one, name, megabyte, leave.signal);
  const left = expect(first.end).rejects.toThrow('enough');
  await first.reached;
  const second = pullUntil(two, name, megabyte);
  await second.reached;
  registry.fault = () => undefined;
  leave.abort(new Error('enough'));
  await left;
  await second.end;
  expect(model.equals(await readFile(path.join(store, 'blobs', digest.replace(':', '-'))))).toBe(true);
});

test('servers that publish and delete at the same time lose no blob of a model that stays', async () => {
  const { registry, store, one, two, name } = await twoServers();
  registry.add('team/tiny:1b', { model: ggufBytes(), license: 'MIT', config: '{}' });
  await pullWith(one, name);
  const source = `${registry.host}/team/tiny:1b`;
  const changes = Array.from({ length: 8 }, async (_, turn) => {
    const library = turn % 2 === 0 ? one : two;
    await library.copy(source, `copy-${turn}`, silent.signal);
    if (turn < 6) await library.delete(`copy-${turn}`);
  });
  await Promise.all([...changes, one.copy(source, 'kept', silent.signal)]);
  await two.delete(source);
  for (const kept of ['kept', 'copy-6', 'copy-7']) {
    expect(await one.catalogue.find(kept)).not.toHaveProperty('problem');
  }
  expect(await readdir(path.join(store, '.hearth', 'locks'))).toEqual([]);
});

test('of several who delete the same model one does it, and the others hear that it is not there', async () => {
  const { one, two } = await twoServers();
  await one.create({ name: 'mine', from: 'ember', system: 'Hi' }, silent);
  const deletes = [one, two, one, two].map((library) => library.delete('mine'));
  const outcomes = await Promise.allSettled(deletes);
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(reasons).toHaveLength(3);
  for (const reason of reasons) expect(reason).toMatchObject({ code: 'model-not-found' });
});

test('the lock of a server that was killed is taken over at once', async () => {
  const { registry, store, one, name } = await twoServers();
  const digest = registry.add('team/tiny:1b', { model: ggufBytes(), config: '{}' }).digests['model'] ?? '';
  const { pid } = spawnSync(process.execPath, ['--version']);
  const dead = JSON.stringify({ pid, host: hostname(), id: 'x' });
  // A later process may have got the same number.
  const reborn = JSON.stringify({ pid: process.pid, host: hostname(), begun: '1', id: 'y' });
  await writeFile(await lockOf(store, 'names'), dead);
  await writeFile(await lockOf(store, `download-${digest.slice(7)}`), reborn);
  await pullWith(one, name);
  expect(await readdir(path.join(store, '.hearth', 'locks'))).toEqual([]);
});

test('the download of a server elsewhere is waited for while its lock is touched, and then taken over', async () => {
  const { registry, store, one, name } = await twoServers();
  const model = largeGgufBytes(3);
  const digest = registry.add('team/tiny:1b', { model, config: '{}' }).digests['model'] ?? '';
  const lock = await lockOf(store, `download-${digest.slice(7)}`);
  await writeFile(lock, JSON.stringify({ pid: 7, host: 'another-container', id: 'x' }));
  // The other one has brought the first two megabytes.
  const partialPath = path.join(store, '.hearth', 'downloads', digest.slice(7));
  const partial = await PartialFile.open(partialPath, model.length, false);
  await partial.write(model.subarray(0, 2 * megabyte), 0);
  await partial.close();
  const pull = pullUntil(one, name, 2 * megabyte);
  await pull.reached;
  expect(registry.requests.filter(({ path: asked }) => asked.endsWith(digest))).toEqual([]);
  const longAgo = new Date(Date.now() - 10 * 60_000);
  await utimes(lock, longAgo, longAgo);
  await pull.end;
  expect(bytesAskedFor(registry.requests, digest)).toBe(model.length - 2 * megabyte);
});

test('a look at a download under way changes nothing about it', async () => {
  const store = await newFolder();
  const basePath = path.join(store, 'x');
  const partial = await PartialFile.open(basePath, 3 * megabyte, false);
  await partial.write(Buffer.alloc(megabyte), 0);
  await appendFile(`${basePath}.journal`, Buffer.from([1, 0]));
  const before = await readFile(`${basePath}.journal`);
  expect(await PartialFile.leftBehind(basePath, 3 * megabyte)).toBe(megabyte);
  expect(await PartialFile.leftBehind(basePath, 5 * megabyte)).toBe(0);
  expect(before.equals(await readFile(`${basePath}.journal`))).toBe(true);
  await partial.close();
});

test('what was uploaded and never used goes after a day, and nothing else does', async () => {
  const store = await newFolder();
  const library = closeLater(openTestLibrary(store));
  const upload = async (content: Buffer) => {
    const digest = parseDigest(sha256(content));
    await library.blobs.writeStream(digest, Readable.from([content]));
    return { digest, file: path.join(store, 'blobs', digest.replace(':', '-')) };
  };
  const forgotten = await upload(Buffer.from('forgotten'));
  const used = await upload(ggufBytes());
  await library.create({ name: 'mine', files: { 'model.gguf': used.digest } }, silent);
  const foreign = path.join(store, 'blobs', sha256('foreign').replace(':', '-'));
  await writeFile(foreign, 'foreign');
  await library.tidy(new Date());
  expect((await stat(forgotten.file)).size).toBe(9);
  await library.tidy(new Date(Date.now() + 2 * day));
  await expect(stat(forgotten.file)).rejects.toThrow('ENOENT');
  expect(await library.catalogue.find('mine')).not.toHaveProperty('problem');
  expect((await stat(foreign)).size).toBe(7);
  expect(await readdir(path.join(store, '.hearth', 'uploads'))).toEqual([]);
});

test('a part of a pull is kept for a month from the last time that the pull was tried', async () => {
  const { registry, store, one, name } = await twoServers();
  const { digests } = registry.add('team/tiny:1b', { model: ggufBytes(), license: 'MIT', config: '{}' });
  registry.fault = (of) => (of === digests['license'] ? { kind: 'status', status: 404 } : undefined);
  await expect(pullWith(one, name)).rejects.toThrow('404');
  const part = (digests['model'] ?? '').slice(7);
  const longAgo = new Date(Date.now() - 40 * day);
  await utimes(path.join(store, '.hearth', 'fetched', part), longAgo, longAgo);
  await expect(pullWith(one, name)).rejects.toThrow('404');
  await one.tidy(new Date());
  expect((await stat(path.join(store, 'blobs', `sha256-${part}`))).size).toBeGreaterThan(0);
});

test('a part of a pull that was given up goes after a month, and one that a model needs stays', async () => {
  const { registry, store, one, name } = await twoServers();
  const finished = { model: ggufBytes(), license: 'MIT', config: '{}' };
  registry.add('team/tiny:1b', finished);
  await pullWith(one, name);
  const license = registry.add('team/other:1', { model: largeGgufBytes(2), license: 'GPL', config: '{}' });
  const blob = (of: string) => path.join(store, 'blobs', (license.digests[of] ?? '').replace(':', '-'));
  // The license comes after the model, and never does.
  registry.fault = (of) => (of === license.digests['license'] ? { kind: 'status', status: 404 } : undefined);
  await expect(pullWith(one, `http://${registry.host}/team/other:1`)).rejects.toThrow('404');
  expect((await stat(blob('model'))).size).toBeGreaterThan(megabyte);
  await one.tidy(new Date(Date.now() + 20 * day));
  expect((await stat(blob('model'))).size).toBeGreaterThan(megabyte);
  await one.tidy(new Date(Date.now() + 40 * day));
  await expect(stat(blob('model'))).rejects.toThrow('ENOENT');
  expect(await one.catalogue.find(`${registry.host}/team/tiny:1b`)).not.toHaveProperty('problem');
  expect(await readdir(path.join(store, '.hearth', 'fetched'))).toEqual([]);
});
