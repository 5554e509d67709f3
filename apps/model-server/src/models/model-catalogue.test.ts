import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, tinyModel } from '../../test/gguf-bytes.js';
import { temporaryFolders } from '../../test/temporary-folder.js';
import { openModelLibrary } from './open-model-library.js';
import { digestOf } from './store/digest.js';
import { configMediaType, encodeManifest, layerMediaTypes } from './store/manifest.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const bundledModelPath = path.resolve(import.meta.dirname, '../../../../models/ember/ember.gguf');
const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });

async function openLibrary(places: { store?: string; folders?: string[]; hubCache?: string } = {}) {
  return openModelLibrary({
    storeFolder: places.store ?? (await newFolder()),
    modelFolders: places.folders ?? [],
    hubCacheFolder: places.hubCache,
    bundledModelPath,
    logger,
  }).catalogue;
}

async function put(file: string, bytes: Uint8Array | string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return file;
}

/** Writes a store the way the runner does. */
async function fillStore(store: string, manifestPath: string, layers: Record<string, string | Buffer>) {
  const descriptors = [];
  for (const [kind, content] of Object.entries(layers)) {
    const bytes = Buffer.from(content);
    const digest = digestOf(bytes);
    await put(path.join(store, 'blobs', digest.replace(':', '-')), bytes);
    const mediaType = kind === 'config' ? configMediaType : layerMediaTypes[kind as 'model'];
    descriptors.push({ mediaType, digest, size: bytes.length });
  }
  const config = descriptors.find((one) => one.mediaType === configMediaType);
  if (!config) throw new Error('a config is needed');
  const text = encodeManifest(
    config,
    descriptors.filter((one) => one !== config),
  );
  await put(path.join(store, 'manifests', manifestPath), text);
  return { manifest: text, descriptors };
}

test('with nothing but the server itself, the bundled model is there', async () => {
  const catalogue = await openLibrary();
  const [entry, ...others] = await catalogue.list();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ name: 'ember:latest', sizeBytes: 15_465_728, licenses: ['apache-2.0'] });
  expect(entry?.digest).toMatch(/^[0-9a-f]{64}$/);
  for (const name of ['ember', 'Ember:LATEST', 'library/ember', 'registry.ollama.ai/library/ember:latest']) {
    expect(await catalogue.resolve(name)).toEqual({
      name: 'ember:latest',
      path: bundledModelPath,
      sizeBytes: 15_465_728,
    });
  }
});

test('an unknown name is not found, and what cannot be a name is a bad request', async () => {
  const catalogue = await openLibrary();
  await expect(catalogue.find('nothing')).rejects.toMatchObject({
    code: 'model-not-found',
    message: "model 'nothing' not found",
  });
  await expect(catalogue.find('../../etc/passwd')).rejects.toMatchObject({ code: 'invalid-request' });
});

test('a store that another runner filled is served in place with all that its layers say', async () => {
  const store = await newFolder();
  const gguf = ggufBytes();
  const { manifest } = await fillStore(store, 'registry.ollama.ai/library/Tiny/1b', {
    model: gguf,
    template: '{{ if .Tools }}{{ .Tools }}{{ end }}{{ .Prompt }}{{ .Suffix }}',
    system: 'Be brief.',
    params: '{"temperature":0.2,"stop":["<end>"]}',
    messages: '[{"role":"user","content":"hi"}]',
    license: 'MIT',
    config: '{"model_format":"gguf","model_family":"llama","model_type":"1B","file_type":"Q4_K_M"}',
  });
  const entry = await (await openLibrary({ store })).find('tiny:1B');
  expect(entry).toMatchObject({
    name: 'Tiny:1b',
    origin: 'store',
    digest: digestOf(manifest).slice(7),
    system: 'Be brief.',
    parameters: { temperature: 0.2, stop: ['<end>'] },
    messages: [{ role: 'user', content: 'hi' }],
    licenses: ['MIT'],
    chatTemplate: undefined,
    capabilities: ['completion', 'tools', 'insert'],
    details: {
      parameterSize: '12.8K',
      quantizationLevel: 'Q4_K_M',
      contextLength: 4096,
      embeddingLength: 64,
    },
  });
  expect(entry.sizeBytes).toBeGreaterThan(gguf.length);
  expect(entry.ggufPath).toBe(path.join(store, 'blobs', digestOf(gguf).replace(':', '-')));
});

test('a model of the store whose blob is gone is listed, and loading it says why it cannot be', async () => {
  const store = await newFolder();
  const { descriptors } = await fillStore(store, 'registry.ollama.ai/library/tiny/latest', {
    model: ggufBytes(),
    config: '{"model_type":"1B"}',
  });
  await rm(path.join(store, 'blobs', String(descriptors[0]?.digest).replace(':', '-')));
  const catalogue = await openLibrary({ store });
  expect((await catalogue.list()).map((entry) => entry.name)).toContain('tiny:latest');
  await expect(catalogue.resolve('tiny')).rejects.toMatchObject({
    code: 'model-unloadable',
    message: expect.stringContaining('pull it again'),
  });
});

test('stray and broken files in a store are passed over', async () => {
  const store = await newFolder();
  await put(path.join(store, 'manifests', 'registry.ollama.ai/library/broken/latest'), '{"schemaVersion":2');
  await put(path.join(store, 'manifests', 'registry.ollama.ai/library/.DS_Store'), 'x');
  await put(path.join(store, 'manifests', 'stray'), 'x');
  expect((await (await openLibrary({ store })).list()).map((entry) => entry.name)).toEqual(['ember:latest']);
});

test('the GGUF files of a folder are served where they lie, named after themselves', async () => {
  const folder = await newFolder();
  await put(path.join(folder, 'Qwen3-4B-Q4_K_M.gguf'), ggufBytes());
  await put(path.join(folder, 'unsloth', 'Qwen3-4B-Q4_K_M.gguf'), ggufBytes());
  await put(path.join(folder, 'some model (new).gguf'), ggufBytes());
  await put(path.join(folder, 'mmproj-model-f16.gguf'), ggufBytes());
  await put(path.join(folder, 'notes.txt'), 'x');
  await put(path.join(folder, 'fake.gguf'), 'x');
  const catalogue = await openLibrary({ folders: [folder] });
  expect((await catalogue.list()).map((entry) => entry.name).sort()).toEqual([
    'Qwen3-4B:Q4_K_M',
    'ember:latest',
    'some-model-new:latest',
    'unsloth/Qwen3-4B:Q4_K_M',
  ]);
  expect(await catalogue.resolve('qwen3-4b')).toMatchObject({
    name: 'Qwen3-4B:Q4_K_M',
    path: path.join(folder, 'Qwen3-4B-Q4_K_M.gguf'),
  });
  await expect(catalogue.resolve('qwen3-4b:q8_0')).rejects.toMatchObject({ code: 'model-not-found' });
});

test('no file is left out because another, in whichever folder, has its name, or for its script', async () => {
  const [one, two] = [await newFolder(), await newFolder()];
  await put(path.join(one, 'a', 'tiny-Q8_0.gguf'), ggufBytes());
  await put(path.join(two, 'b', 'tiny-Q8_0.gguf'), ggufBytes());
  await put(path.join(two, 'c', 'b', 'tiny-Q8_0.gguf'), ggufBytes());
  await put(path.join(two, '\u6a21\u578b.gguf'), ggufBytes());
  const folders = [one, two, path.join(two, 'b')];
  const names = async () => (await (await openLibrary({ folders })).list()).map((entry) => entry.name).sort();
  expect(await names()).toEqual([
    'b/tiny:Q8_0',
    'ember:latest',
    expect.stringMatching(/^model-[0-9a-f]{8}:latest$/),
    expect.stringMatching(/^tiny-[0-9a-f]{8}:Q8_0$/),
    'tiny:Q8_0',
  ]);
  expect(await names()).toEqual(await names());
});

test('a model in several files is one model with the size of all, and none while one is missing', async () => {
  const folder = await newFolder();
  const first = await put(path.join(folder, 'big-Q8_0-00001-of-00002.gguf'), ggufBytes());
  const catalogue = await openLibrary({ folders: [folder] });
  expect(await catalogue.findIfThere('big:q8_0')).toBeUndefined();
  await put(
    path.join(folder, 'big-Q8_0-00002-of-00002.gguf'),
    ggufBytes({ tensors: tinyModel.tensors ?? [] }),
  );
  const entry = await catalogue.find('big:q8_0');
  expect(entry.ggufPath).toBe(first);
  expect(entry.sizeBytes).toBeGreaterThan(2 * 51_200);
  expect(entry.details.parameterSize).toBe('25.6K');
});

test('a file that was not copied whole is left out, and appears once it is whole', async () => {
  const folder = await newFolder();
  const bytes = ggufBytes();
  const file = await put(path.join(folder, 'x.gguf'), bytes);
  await truncate(file, bytes.length - 1);
  const catalogue = await openLibrary({ folders: [folder] });
  expect(await catalogue.findIfThere('x')).toBeUndefined();
  await writeFile(file, bytes);
  expect(await catalogue.findIfThere('x')).toMatchObject({ name: 'x:latest' });
});

test('a folder that links to itself is read once', async () => {
  const folder = await newFolder();
  await put(path.join(folder, 'a', 'x.gguf'), ggufBytes());
  await symlink(folder, path.join(folder, 'a', 'loop'));
  expect(await (await openLibrary({ folders: [folder] })).list()).toHaveLength(2);
});

test('the Hugging Face cache is served in place under the names that a pull would give', async () => {
  const hubCache = await newFolder();
  const repository = path.join(hubCache, 'models--Qwen--Qwen3-0.6B-GGUF');
  const blob = await put(path.join(repository, 'blobs', 'abc'), ggufBytes());
  await put(path.join(repository, 'refs', 'main'), '0123456789abcdef');
  for (const commit of ['0123456789abcdef', 'fedcba9876543210']) {
    const snapshot = path.join(repository, 'snapshots', commit);
    await mkdir(snapshot, { recursive: true });
    await symlink(path.relative(snapshot, blob), path.join(snapshot, 'Qwen3-0.6B-Q8_0.gguf'));
  }
  const catalogue = await openLibrary({ hubCache });
  expect(await catalogue.resolve('hf.co/qwen/qwen3-0.6b-gguf:q8_0')).toMatchObject({
    name: 'hf.co/Qwen/Qwen3-0.6B-GGUF:Q8_0',
    path: path.join(repository, 'snapshots', '0123456789abcdef', 'Qwen3-0.6B-Q8_0.gguf'),
  });
});

test('the store goes before files in place, so that a model made by the user wins its name', async () => {
  const store = await newFolder();
  await fillStore(store, 'registry.ollama.ai/library/ember/latest', {
    model: ggufBytes(),
    system: 'mine',
    config: '{}',
  });
  const catalogue = await openLibrary({ store });
  expect(await catalogue.list()).toHaveLength(1);
  expect(await catalogue.find('ember')).toMatchObject({ origin: 'store', system: 'mine' });
});
