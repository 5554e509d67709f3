import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { Ollama } from 'ollama';
import { ggufBytes, largeGgufBytes } from '../../../test/gguf-bytes.js';
import { scriptedGenerator } from '../../../test/scripted-generator.js';
import { startLibraryServer } from '../../../test/start-library-server.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { startTestRegistry, type TestRegistryOptions } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const config = '{"model_format":"gguf","model_family":"llama","model_type":"1B","file_type":"Q4_K_M"}';

async function arrange(options: Parameters<typeof startLibraryServer>[1] = {}) {
  const store = await newFolder();
  const server = closeLater(await startLibraryServer(store, options));
  const client = new Ollama({ host: server.url });
  const names = async () => (await client.list()).models.map((model) => model.name).sort();
  const send = (method: string, route: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + route, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { ...server, store, client, names, send };
}

async function arrangeWithRegistry(options: TestRegistryOptions = {}) {
  const registry = closeLater(await startTestRegistry(options));
  return { ...(await arrange()), registry, remote: (name: string) => `http://${registry.host}/${name}` };
}

const statusesOf = async (stream: AsyncIterable<{ status: string }>) => {
  const statuses: string[] = [];
  for await (const { status } of stream) if (statuses.at(-1) !== status) statuses.push(status);
  return statuses;
};

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

test('the official client pulls a model and sees its progress', async () => {
  const { registry, client, remote, names } = await arrangeWithRegistry();
  const model = largeGgufBytes(5);
  const { digests } = registry.add('team/tiny:1b', { model, config });
  const lines: { status: string; digest?: string; total?: number; completed?: number }[] = [];
  const stream = await client.pull({ model: remote('team/tiny:1b'), insecure: true, stream: true });
  for await (const line of stream) lines.push(line);
  expect(lines[0]).toEqual({ status: 'pulling manifest' });
  expect(lines[1]).toEqual({
    status: `pulling ${digests['model']?.slice(7, 19)}`,
    digest: digests['model'],
    total: model.length,
  });
  expect(lines).toContainEqual({ ...lines[1], completed: model.length });
  expect(lines.at(-1)).toEqual({ status: 'success' });
  expect(await names()).toContain(`${registry.host}/team/tiny:1b`);
});

test('a pull that does not stream answers once, at its end', async () => {
  const { registry, client, remote } = await arrangeWithRegistry();
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  expect(await client.pull({ model: remote('team/tiny:1b'), insecure: true })).toEqual({ status: 'success' });
});

test('what fails before any work has a status of its own; what fails later ends the stream with its error', async () => {
  const { registry, send, remote } = await arrangeWithRegistry();
  const missing = await send('POST', '/api/pull', { model: remote('team/none:1b'), insecure: true });
  expect([missing.status, await missing.json()]).toEqual([
    404,
    { error: 'pull model manifest: file does not exist' },
  ]);
  const { digests } = registry.add('team/tiny:1b', { model: ggufBytes(), config });
  registry.blobs.set(digests['config'] ?? '', Buffer.alloc(config.length));
  const broken = await send('POST', '/api/pull', { model: remote('team/tiny:1b'), insecure: true });
  expect(broken.status).toBe(200);
  expect(broken.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = (await broken.text()).trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ error: 'digest mismatch, file must be downloaded again' });
});

test('who asks for server-sent events gets the same objects as events', async () => {
  const { send } = await arrange();
  const reply = await send('POST', '/api/pull', { name: 'ember' }, { accept: 'text/event-stream' });
  expect(reply.headers.get('content-type')).toContain('text/event-stream');
  const events = (await reply.text()).trimEnd().split('\n\n');
  expect(events.at(-1)).toBe('data: {"status":"success"}');
});

test('a client that leaves ends its download', async () => {
  const registry = closeLater(await startTestRegistry());
  // Nothing else may end the connection: not a stall, not a take-over.
  const { client } = await arrange({ library: { transfer: { stallMs: 60_000, connections: 1 } } });
  const { digests } = registry.add('team/tiny:1b', { model: largeGgufBytes(5), config });
  const connection = new Promise<Socket>((resolve) => {
    registry.fault = (digest, { socket }) => {
      if (digest !== digests['model']) return undefined;
      resolve(socket);
      return { kind: 'stall', afterBytes: 1000 };
    };
  });
  const model = `http://${registry.host}/team/tiny:1b`;
  const stream = await client.pull({ model, insecure: true, stream: true });
  const reading = statusesOf(stream).catch((error: unknown) => error);
  const socket = await connection;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  stream.abort();
  await closed;
  expect(await reading).toMatchObject({ name: 'AbortError' });
});

test('a model made from another has its own words and shares the big file', async () => {
  const { client, store, names, library } = await arrange();
  const stream = await client.create({
    model: 'pirate',
    from: 'ember',
    system: 'Talk like a pirate.',
    parameters: { temperature: 0.3, stop: ['Arr'] },
    messages: [{ role: 'user', content: 'hi' }],
    license: 'MIT',
    stream: true,
  });
  const statuses = await statusesOf(stream);
  expect(statuses.at(-2)).toBe('writing manifest');
  expect(statuses.at(-1)).toBe('success');
  expect(await names()).toEqual(['ember:latest', 'pirate:latest']);
  expect(await library.catalogue.find('pirate')).toMatchObject({
    system: 'Talk like a pirate.',
    parameters: { temperature: 0.3, stop: ['Arr'] },
    messages: [{ role: 'user', content: 'hi' }],
    licenses: ['MIT'],
    parentModel: 'ember:latest',
    details: { family: 'llama', quantizationLevel: 'Q8_0' },
  });
  await client.create({ model: 'captain', from: 'pirate', parameters: { seed: 7 } });
  expect(await library.catalogue.find('captain')).toMatchObject({
    system: 'Talk like a pirate.',
    parameters: { temperature: 0.3, stop: ['Arr'], seed: 7 },
  });
  const large = (await readdir(path.join(store, 'blobs'))).filter((name) => name.includes('89ceedf0257f'));
  expect(large).toHaveLength(1);
});

test('what a new model is asked to have and cannot use is named, and not kept', async () => {
  const { send, library } = await arrange();
  const reply = await send('POST', '/api/create', {
    model: 'calm',
    from: 'ember',
    requires: '0.9.0',
    parameters: { mirostat: 1, seed: 7, num_gqa: 8 },
    messages: [{ role: 'assistant', content: 'Hello.', thinking: 'A greeting.' }],
  });
  const [first] = (await reply.text()).split('\n');
  expect(JSON.parse(first ?? '')).toEqual({
    status: 'without effect here: mirostat, num_gqa, requires, messages.thinking',
  });
  expect(await library.catalogue.find('calm')).toMatchObject({
    parameters: { seed: 7 },
    messages: [{ role: 'assistant', content: 'Hello.' }],
  });
});

test('the official client shows a model that was made here, and what is in memory', async () => {
  const loaded = {
    model: 'pirate:latest',
    sizeBytes: 60_000_000,
    sizeVramBytes: 0,
    contextLength: 2048,
    expiresAt: undefined,
    busy: false,
  };
  const generator = scriptedGenerator([], { listLoaded: () => [loaded] });
  const { client } = await arrange({ generator });
  await client.create({
    model: 'pirate',
    from: 'ember',
    system: 'Talk like a pirate.',
    parameters: { seed: 3 },
  });
  const shown = await client.show({ model: 'pirate' });
  expect(shown).toMatchObject({
    system: 'Talk like a pirate.',
    details: { parent_model: 'ember:latest', family: 'llama', quantization_level: 'Q8_0' },
    capabilities: ['completion', 'tools', 'thinking'],
  });
  expect(shown.parameters).toMatch(/^seed\s+3$/m);
  expect((await client.ps()).models).toMatchObject([{ name: 'pirate:latest', context_length: 2048 }]);
});

test('a deleted model leaves memory too', async () => {
  const unloaded = new Promise<string>((resolve) => {
    const generator = scriptedGenerator([], {
      unload: async (model) => {
        resolve(model);
        return true;
      },
    });
    void arrange({ generator }).then(({ client }) => client.delete({ model: 'ember' }));
  });
  expect(await unloaded).toBe('ember:latest');
});

test('a template of one’s own is used in either language, and one that cannot be used is refused', async () => {
  const { client, library, send } = await arrange();
  const jinja = '{% for message in messages %}{{ message.content }}{% endfor %}';
  await client.create({ model: 'a', from: 'ember', template: jinja });
  expect(await library.catalogue.resolve('a')).toMatchObject({ chatTemplate: jinja });
  await client.create({ model: 'b', from: 'ember', template: 'Q: {{ .Prompt }} A: {{ .Response }}' });
  expect((await library.catalogue.resolve('b')).chatTemplate).toContain('go_turn');
  expect(await library.catalogue.find('b')).toMatchObject({
    template: 'Q: {{ .Prompt }} A: {{ .Response }}',
  });
  for (const template of ['{{ .Nonsense }}', '{% for %}']) {
    const reply = await send('POST', '/api/create', { model: 'c', from: 'ember', template });
    expect([reply.status, template]).toEqual([400, template]);
  }
});

test('a model made from a file that was uploaded by its digest', async () => {
  const { client, send, library } = await arrange();
  const bytes = ggufBytes();
  const digest = digestOf(bytes);
  expect((await send('HEAD', `/api/blobs/${digest}`)).status).toBe(404);
  const upload = () =>
    fetch(`${client['config'].host}/api/blobs/${digest}`, { method: 'POST', body: new Uint8Array(bytes) });
  expect((await upload()).status).toBe(201);
  expect((await upload()).status).toBe(200);
  expect((await send('HEAD', `/api/blobs/${digest}`)).status).toBe(200);
  const reply = await send('POST', '/api/create', {
    model: 'mine',
    files: { 'x.gguf': digest },
    stream: false,
  });
  expect(await reply.json()).toEqual({ status: 'success' });
  expect(await library.catalogue.find('mine')).toMatchObject({ details: { parameterSize: '12.8K' } });
});

test('a model whose origin is not here is pulled first', async () => {
  const { send } = await arrange();
  const reply = await send('POST', '/api/create', { model: 'x', from: 'localhost:1/a/b' });
  expect(reply.status).toBe(502);
  expect(await reply.json()).toEqual({ error: expect.stringContaining('cannot reach localhost:1') });
});

test('an upload that is not what its digest says is refused and not kept', async () => {
  const { send, store } = await arrange();
  const digest = digestOf(Buffer.from('right'));
  const reply = await send('POST', `/api/blobs/${digest}`, 'wrong');
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { error: `digest mismatch, expected "${digest}", got "${digestOf(Buffer.from('wrong'))}"` },
  ]);
  expect(await readdir(path.join(store, '.hearth', 'drafts'))).toEqual([]);
});

test.each([
  ['no origin', { model: 'x' }, 400, "neither 'from' or 'files' was specified"],
  ['no name', { from: 'ember' }, 400, 'invalid model name'],
  ['a bad name', { model: '../x', from: 'ember' }, 400, 'invalid model name'],
  ['a bad digest', { model: 'x', files: { a: 'md5:1' } }, 400, 'invalid digest format'],
  [
    'a blob that is not there',
    { model: 'x', files: { 'a.gguf': `sha256:${'0'.repeat(64)}` } },
    400,
    `blob sha256:${'0'.repeat(64)} was not uploaded`,
  ],
  [
    'a path that leads out',
    { model: 'x', files: { '../a.gguf': `sha256:${'0'.repeat(64)}` } },
    400,
    'file path must be relative',
  ],
  [
    'an adapter',
    { model: 'x', from: 'ember', adapters: { a: 'b' } },
    400,
    'adapters (LoRA) are not supported',
  ],
  [
    'a wrong parameter',
    { model: 'x', from: 'ember', parameters: { top_k: 'many' } },
    400,
    'parameters.top_k must be a number',
  ],
  [
    'a parameter that does not exist',
    { model: 'x', from: 'ember', parameters: { mirostat: 1, tempratur: 1 } },
    400,
    "unknown parameter 'tempratur'",
  ],
  [
    'an image among the messages',
    { model: 'x', from: 'ember', messages: [{ role: 'user', content: 'hi', images: ['aGk='] }] },
    400,
    'images in the messages of a model are not supported',
  ],
  [
    'a tool call among the messages',
    {
      model: 'x',
      from: 'ember',
      messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: {} } }] }],
    },
    400,
    'tool calls in the messages of a model are not supported',
  ],
  [
    'the result of a tool among the messages',
    { model: 'x', from: 'ember', messages: [{ role: 'tool', content: '4' }] },
    400,
    'results of tools in the messages of a model are not supported',
  ],
])('create with %s is refused', async (_, body, status, error) => {
  const { send } = await arrange();
  const reply = await send('POST', '/api/create', body);
  expect([reply.status, await reply.json()]).toEqual([status, { error }]);
});

test('a file that is no GGUF does not become a model', async () => {
  const { send, names } = await arrange();
  const digest = digestOf(Buffer.from('text'));
  await send('POST', `/api/blobs/${digest}`, 'text');
  const reply = await send('POST', '/api/create', { model: 'x', files: { 'x.gguf': digest }, stream: false });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { error: 'supplied file was not in GGUF format' },
  ]);
  expect(await names()).toEqual(['ember:latest']);
});

test('copy gives a second name, delete takes one away, and files go with the last name', async () => {
  const { registry, client, remote, names, store } = await arrangeWithRegistry();
  registry.add('team/tiny:1b', { model: ggufBytes(), config });
  await client.pull({ model: remote('team/tiny:1b'), insecure: true });
  const pulled = `${registry.host}/team/tiny:1b`;
  await client.copy({ source: pulled, destination: 'mine' });
  expect(await names()).toEqual([pulled, 'ember:latest', 'mine:latest'].sort());
  await client.delete({ model: pulled });
  expect(await names()).toEqual(['ember:latest', 'mine:latest']);
  expect(await readdir(path.join(store, 'blobs'))).toHaveLength(2);
  await client.delete({ model: 'MINE' });
  expect(await names()).toEqual(['ember:latest']);
  expect(await readdir(path.join(store, 'blobs'))).toEqual([]);
  expect(await readdir(path.join(store, 'manifests'))).toEqual([]);
});

test('copy and delete of what is not there or cannot be a name', async () => {
  const { send } = await arrange();
  const outcome = async (reply: Response) => [reply.status, await reply.json()];
  expect(await outcome(await send('POST', '/api/copy', { source: 'none', destination: 'x' }))).toEqual([
    404,
    { error: 'model "none" not found' },
  ]);
  expect(await outcome(await send('POST', '/api/copy', { source: '..', destination: 'x' }))).toEqual([
    400,
    { error: 'source ".." is invalid' },
  ]);
  expect(await outcome(await send('POST', '/api/copy', { source: 'ember', destination: 'a b' }))).toEqual([
    400,
    { error: 'destination "a b" is invalid' },
  ]);
  expect(await outcome(await send('DELETE', '/api/delete', { model: 'none' }))).toEqual([
    404,
    { error: "model 'none' not found" },
  ]);
});

test('the bundled model can be deleted, stays away, and comes back when it is pulled', async () => {
  const { client, names, store } = await arrange();
  await client.delete({ model: 'ember' });
  expect(await names()).toEqual([]);
  const again = closeLater(await startLibraryServer(store));
  expect(await again.library.catalogue.list()).toEqual([]);
  await client.pull({ model: 'ember' });
  expect(await names()).toEqual(['ember:latest']);
});

test('a file served in place is not deleted behind its owner’s back', async () => {
  const folder = await newFolder();
  await writeFile(path.join(folder, 'mine.gguf'), ggufBytes());
  const { client, names, send } = await arrange({ library: { modelFolders: [folder] } });
  const reply = await send('DELETE', '/api/delete', { model: 'mine' });
  expect(reply.status).toBe(409);
  expect(await reply.json()).toEqual({ error: expect.stringContaining('delete the file') });
  expect(await names()).toEqual(['ember:latest', 'mine:latest']);
  await client.copy({ source: 'mine', destination: 'other' });
  expect(await names()).toEqual(['ember:latest', 'mine:latest', 'other:latest']);
});

test.each([{}, { requireToken: true }, { redirectUploads: true, requireToken: true }])(
  'the official client pushes to a registry (%j), and what it pushed can be pulled again',
  async (options) => {
    const { registry, client, remote, names } = await arrangeWithRegistry(options);
    const name = `${registry.host}/team/ember:1`;
    await client.copy({ source: 'ember', destination: name });
    const stream = await client.push({ model: remote('team/ember:1'), insecure: true, stream: true });
    const statuses = await statusesOf(stream);
    expect(statuses[0]).toBe('retrieving manifest');
    expect(statuses).toContain('pushing 89ceedf0257f');
    expect(statuses.slice(-2)).toEqual(['pushing manifest', 'success']);
    for (const request of registry.storage?.requests ?? []) {
      expect(request.headers.authorization).toBeUndefined();
    }
    await client.delete({ model: name });
    await client.pull({ model: remote('team/ember:1'), insecure: true });
    expect(await names()).toContain(name);
  },
);

test('with keys in force, managing needs its own right', async () => {
  const verifier = {
    verify: async (token: string) =>
      token === 'reader' || token === 'manager'
        ? {
            id: token,
            scopes: new Set(token === 'manager' ? ['models:use', 'models:manage'] : ['models:use']),
          }
        : null,
  };
  const { send, names } = await arrange({ verifier });
  const digest = `sha256:${'0'.repeat(64)}`;
  const calls: [string, string, object?][] = [
    ['POST', '/api/pull', { model: 'ember', stream: false }],
    ['POST', '/api/push', { model: 'ember', stream: false }],
    ['POST', '/api/create', { model: 'x', from: 'ember', stream: false }],
    ['POST', '/api/copy', { source: 'ember', destination: 'x' }],
    ['DELETE', '/api/delete', { model: 'ember' }],
    ['HEAD', `/api/blobs/${digest}`],
    ['POST', `/api/blobs/${digest}`, {}],
  ];
  for (const [method, route, body] of calls) {
    const reader = await send(method, route, body, { authorization: 'Bearer reader' });
    expect([route, reader.status]).toEqual([route, 403]);
  }
  const manager = await send(
    'POST',
    '/api/pull',
    { model: 'ember', stream: false },
    { 'x-api-key': 'manager' },
  );
  expect(manager.status).toBe(200);
  await expect(names()).rejects.toThrow();
});
