import { readFile } from 'node:fs/promises';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, largeGgufBytes, tinyModel } from '../../../test/gguf-bytes.js';
import { openTestLibrary, pullWith } from '../../../test/open-test-library.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestHub } from '../../../test/test-hub.js';
import { closeAfterEach } from '../../../test/test-server.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();

async function arrange(options: { token?: string; pageSize?: number; ourToken?: string } = {}) {
  const hub = closeLater(await startTestHub(options));
  const library = closeLater(
    openTestLibrary(await newFolder(), { hub: { endpoint: hub.url, token: options.ourToken } }),
  );
  const put = (files: Record<string, Buffer | string>) =>
    hub.repositories.set(
      'Qwen/Tiny-GGUF',
      new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
    );
  return { hub, library, put };
}

const named = (text: string) =>
  ggufBytes({ ...tinyModel, metadata: { ...tinyModel.metadata, 'general.name': text } });

const variants = {
  'README.md': 'x',
  'tiny-Q2_K.gguf': named('two'),
  'tiny-Q4_K_M.gguf': named('four'),
  'tiny-Q8_0.gguf': named('eight'),
  'mmproj-tiny-f16.gguf': named('eyes'),
};

test.each([
  ['hf.co/Qwen/Tiny-GGUF', 'tiny-Q4_K_M.gguf', 'hf.co/Qwen/Tiny-GGUF:latest'],
  ['hf.co/qwen/tiny-gguf:q8_0', undefined, undefined],
  ['hf.co/Qwen/Tiny-GGUF:q8_0', 'tiny-Q8_0.gguf', 'hf.co/Qwen/Tiny-GGUF:q8_0'],
  ['huggingface.co/Qwen/Tiny-GGUF:Q2_K', 'tiny-Q2_K.gguf', 'huggingface.co/Qwen/Tiny-GGUF:Q2_K'],
  ['hf.co/Qwen/Tiny-GGUF:tiny-Q8_0.gguf', 'tiny-Q8_0.gguf', 'hf.co/Qwen/Tiny-GGUF:tiny-Q8_0.gguf'],
] as const)('%s is %s', async (name, file, shown) => {
  const { library, put } = await arrange();
  put(variants);
  if (file === undefined) {
    await expect(pullWith(library, name)).rejects.toMatchObject({ code: 'model-not-found' });
    return;
  }
  await pullWith(library, name);
  const entry = await library.catalogue.find(name);
  expect(entry.name).toBe(shown);
  expect(variants[file].equals(await readFile(entry.ggufPath))).toBe(true);
});

test('without the usual quantizations the first file is taken', async () => {
  const { library, put } = await arrange();
  put({ 'b-Q6_K.gguf': named('six'), 'a-IQ2_M.gguf': named('two') });
  await pullWith(library, 'hf.co/Qwen/Tiny-GGUF');
  const entry = await library.catalogue.find('hf.co/Qwen/Tiny-GGUF');
  expect(named('two').equals(await readFile(entry.ggufPath))).toBe(true);
});

test('a quantization that is not there is answered with those that are', async () => {
  const { library, put } = await arrange();
  put(variants);
  await expect(pullWith(library, 'hf.co/Qwen/Tiny-GGUF:Q5_K_M')).rejects.toMatchObject({
    code: 'model-not-found',
    message: 'no GGUF file fits "Q5_K_M"; there are: Q2_K, Q4_K_M, Q8_0',
  });
});

test('a model in shards is fetched whole and lies under names that count', async () => {
  const { library, put } = await arrange();
  const first = largeGgufBytes(3);
  const second = named('second');
  put({
    'Q8_0/tiny-Q8_0-00002-of-00002.gguf': second,
    'Q8_0/tiny-Q8_0-00001-of-00002.gguf': first,
    'README.md': '',
  });
  await pullWith(library, 'hf.co/Qwen/Tiny-GGUF:Q8_0');
  const file = await library.catalogue.resolve('hf.co/Qwen/Tiny-GGUF:Q8_0');
  expect(file.path).toMatch(/-00001-of-00002\.gguf$/);
  expect(first.equals(await readFile(file.path))).toBe(true);
  expect(second.equals(await readFile(file.path.replace('00001-of', '00002-of')))).toBe(true);
});

test('the token goes to the hub and not to its storage', async () => {
  const { hub, library, put } = await arrange({ token: 'hf_secret', ourToken: 'hf_secret' });
  put(variants);
  await pullWith(library, 'hf.co/Qwen/Tiny-GGUF');
  expect(hub.requests.length).toBeGreaterThan(2);
  expect(hub.storage.requests.length).toBeGreaterThan(0);
  for (const request of hub.storage.requests) expect(request.headers.authorization).toBeUndefined();
});

test('a private repository without a token says what to set', async () => {
  const { library, put } = await arrange({ token: 'hf_secret' });
  put(variants);
  await expect(pullWith(library, 'hf.co/Qwen/Tiny-GGUF')).rejects.toMatchObject({
    code: 'model-not-found',
    message: expect.stringContaining('HF_TOKEN'),
  });
});

test('a listing of several pages is read to its end', async () => {
  const { library, put } = await arrange({ pageSize: 2 });
  put(variants);
  await pullWith(library, 'hf.co/Qwen/Tiny-GGUF:Q8_0');
  expect(await library.catalogue.findIfThere('hf.co/Qwen/Tiny-GGUF:Q8_0')).toBeDefined();
});

test('system, template and parameters that a repository brings become the model’s', async () => {
  const { library, put } = await arrange();
  put({
    ...variants,
    system: 'Be kind.',
    params: '{"temperature":0.1}',
    template: '{% for m in messages %}{% endfor %}',
  });
  await pullWith(library, 'hf.co/Qwen/Tiny-GGUF');
  expect(await library.catalogue.find('hf.co/Qwen/Tiny-GGUF')).toMatchObject({
    system: 'Be kind.',
    parameters: { temperature: 0.1 },
    chatTemplate: '{% for m in messages %}{% endfor %}',
    details: { quantizationLevel: 'Q4_K_M' },
  });
});

test('a hub without TLS needs "insecure"', async () => {
  const { hub, library, put } = await arrange();
  put(variants);
  await expect(pullWith(library, 'hf.co/Qwen/Tiny-GGUF', { insecure: false })).rejects.toMatchObject({
    code: 'invalid-request',
  });
  expect(hub.requests).toEqual([]);
});
