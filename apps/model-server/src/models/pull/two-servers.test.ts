import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { largeGgufBytes } from '../../../test/gguf-bytes.js';
import { RemotePull, ServerProcess } from '../../../test/server-process.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { bytesAskedFor, startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

jest.setTimeout(120_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const megabyte = 1024 * 1024;

/** A registry that sends the first megabytes of each part and the rest when it is let go; two servers on one store. */
async function twoServers() {
  const registry = closeLater(await startTestRegistry());
  const content = largeGgufBytes(48);
  const { digests } = registry.add('team/big:1', { model: content, config: '{}' });
  const digest = digests['model'] ?? '';
  let letGo: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  registry.fault = (of) => (of === digest ? { kind: 'pause', afterBytes: 3.5 * megabyte, until } : undefined);
  const store = await newFolder();
  const start = async () =>
    closeLater(await ServerProcess.start({ HEARTH_DATA: await newFolder(), HEARTH_MODELS: store }));
  const [one, two] = await Promise.all([start(), start()]);
  const port = registry.host.split(':')[1];
  const nameAt = (host: string) => `http://${host}:${port}/team/big:1`;
  const asksOf = (host: string) =>
    registry.requests.filter(
      ({ path: asked, headers }) => asked.endsWith(digest) && headers.host === `${host}:${port}`,
    ).length;
  return { registry, content, digest, store, one, two, letGo, nameAt, asksOf };
}

async function storedModel(store: string, digest: string): Promise<Buffer> {
  return await readFile(path.join(store, 'blobs', digest.replace(':', '-')));
}

test('a server joins the download of another on the same store, and takes it over when that one is killed', async () => {
  const { registry, content, digest, store, one, two, letGo, nameAt, asksOf } = await twoServers();
  const first = new RemotePull(one.url, nameAt('127.0.0.1'));
  await first.reached(22 * megabyte);
  const second = new RemotePull(two.url, nameAt('localhost'));
  await second.reached(12 * megabyte);
  // It asks for nothing that the other one is fetching.
  expect(asksOf('localhost')).toBe(0);
  registry.requests.length = 0;
  await one.kill();
  await first.end;
  letGo();
  expect((await second.end).trimEnd().split('\n').at(-1)).toBe('{"status":"success"}');
  expect(content.equals(await storedModel(store, digest))).toBe(true);
  expect(bytesAskedFor(registry.requests, digest)).toBeLessThan(content.length - 8 * megabyte);
  expect(await readdir(path.join(store, 'blobs'))).toHaveLength(2);
  expect(await readdir(path.join(store, '.hearth', 'locks'))).toEqual([]);
  expect(await readdir(path.join(store, '.hearth', 'downloads'))).toEqual([]);
});

test('two servers that pull the same blob at once both succeed with one download, and one that is left leaves it alone', async () => {
  const { content, digest, store, one, two, letGo, nameAt, asksOf } = await twoServers();
  const first = new RemotePull(one.url, nameAt('127.0.0.1'));
  await first.reached(22 * megabyte);
  const leaver = new RemotePull(two.url, nameAt('localhost'));
  await leaver.reached(12 * megabyte);
  leaver.leave();
  await leaver.end;
  const second = new RemotePull(two.url, nameAt('localhost'));
  await second.reached(12 * megabyte);
  letGo();
  for (const pull of [first, second]) {
    expect((await pull.end).trimEnd().split('\n').at(-1)).toBe('{"status":"success"}');
  }
  expect(content.equals(await storedModel(store, digest))).toBe(true);
  expect(asksOf('127.0.0.1')).toBeGreaterThan(0);
  expect(asksOf('localhost')).toBe(0);
  const tags = (await (await fetch(`${one.url}/api/tags`)).json()) as { models: { name: string }[] };
  expect(tags.models).toHaveLength(3);
});
