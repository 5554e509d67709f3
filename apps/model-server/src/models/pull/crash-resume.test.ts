import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { largeGgufBytes } from '../../../test/gguf-bytes.js';
import { RemotePull, ServerProcess } from '../../../test/server-process.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { bytesAskedFor, startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const megabyte = 1024 * 1024;

test('a server that is killed in the middle of a pull goes on from there after its restart, byte for byte', async () => {
  const registry = closeLater(await startTestRegistry());
  const content = largeGgufBytes(48);
  const { digests } = registry.add('team/big:1', { model: content, config: '{}' });
  const digest = digests['model'] ?? '';
  // Each of the eight connections gets a few megabytes and then nothing: the download is in the middle for sure.
  registry.fault = (of) => (of === digest ? { kind: 'stall', afterBytes: 3.5 * megabyte } : undefined);
  const data = await newFolder();
  const name = `http://${registry.host}/team/big:1`;
  const first = closeLater(await ServerProcess.start({ HEARTH_DATA: data }));
  const pull = new RemotePull(first.url, name);
  await pull.reached(22 * megabyte);
  await first.kill();
  await pull.end;
  const blob = path.join(data, 'models', 'blobs', digest.replace(':', '-'));
  await expect(stat(blob)).rejects.toThrow('ENOENT');
  registry.fault = () => undefined;
  registry.requests.length = 0;
  const second = closeLater(await ServerProcess.start({ HEARTH_DATA: data }));
  const listed = (await (await fetch(`${second.url}/api/tags`)).json()) as { models: { name: string }[] };
  expect(listed.models.map((model) => model.name)).toEqual(['ember:latest']);
  const said = await new RemotePull(second.url, name).end;
  expect(said.trimEnd().split('\n').at(-1)).toBe('{"status":"success"}');
  expect(content.equals(await readFile(blob))).toBe(true);
  expect(bytesAskedFor(registry.requests, digest)).toBeLessThan(content.length - 8 * megabyte);
}, 120_000);
