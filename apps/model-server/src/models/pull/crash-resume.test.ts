import { type ChildProcess, fork } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { largeGgufBytes } from '../../../test/gguf-bytes.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestRegistry } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const children = new Set<ChildProcess>();
const cli = path.resolve(import.meta.dirname, '../../../dist/cli.js');
const megabyte = 1024 * 1024;

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** The real server program, in a process of its own that can be killed. */
async function startServer(data: string): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    ...process.env,
    HEARTH_DATA: data,
    HEARTH_LOG_LEVEL: 'error',
    HEARTH_API_KEY: '',
    HEARTH_MODELS: '',
  };
  const child = fork(cli, ['serve', '--host', '127.0.0.1', '--port', '0', '--threads', '1'], { env });
  children.add(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { kind: string; url: string }) => {
      if (message.kind === 'ready') resolve(message.url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, url };
}

test('a server that is killed in the middle of a pull goes on from there after its restart, byte for byte', async () => {
  const registry = closeLater(await startTestRegistry());
  const content = largeGgufBytes(48);
  const { digests } = registry.add('team/big:1', { model: content, config: '{}' });
  const digest = digests['model'] ?? '';
  // Every connection gets a few megabytes and then nothing, so that the download is in the middle for sure.
  registry.fault = (of) => (of === digest ? { kind: 'stall', afterBytes: 3.5 * megabyte } : undefined);
  const data = await newFolder();
  const body = JSON.stringify({ model: `http://${registry.host}/team/big:1`, insecure: true });
  const first = await startServer(data);
  const reply = await fetch(`${first.url}/api/pull`, { method: 'POST', body });
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    const completed = [...text.matchAll(/"completed":(\d+)/g)].map((match) => Number(match[1]));
    if (Math.max(0, ...completed) >= 16 * megabyte) break;
  }
  const gone = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGKILL');
  await gone;
  const blob = path.join(data, 'models', 'blobs', digest.replace(':', '-'));
  await expect(stat(blob)).rejects.toThrow('ENOENT');
  registry.fault = () => undefined;
  registry.requests.length = 0;
  const second = await startServer(data);
  const listed = (await (await fetch(`${second.url}/api/tags`)).json()) as { models: { name: string }[] };
  expect(listed.models.map((model) => model.name)).toEqual(['ember:latest']);
  const again = await fetch(`${second.url}/api/pull`, { method: 'POST', body });
  expect((await again.text()).trimEnd().split('\n').at(-1)).toBe('{"status":"success"}');
  expect(content.equals(await readFile(blob))).toBe(true);
  const fetched = registry.requests
    .filter((request) => request.path.endsWith(digest))
    .map((request) => /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? ''))
    .reduce((total, range) => total + Number(range?.[2]) - Number(range?.[1]) + 1, 0);
  expect(fetched).toBeLessThan(content.length - 8 * megabyte);
}, 120_000);
