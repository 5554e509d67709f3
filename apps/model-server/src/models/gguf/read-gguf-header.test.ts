import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { ggufBytes, text, tinyModel, uint32, uint64 } from '../../../test/gguf-bytes.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { GgufError } from './gguf-error.js';
import { modelFacts } from './model-facts.js';
import { readGgufHeader } from './read-gguf-header.js';

// A busy machine makes everything slow; nothing here waits for time to pass.
jest.setTimeout(60_000);

const newFolder = temporaryFolders();
const ember = path.resolve(import.meta.dirname, '../../../../../models/ember/ember.gguf');

async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = path.join(await newFolder(), 'x.gguf');
  await writeFile(file, bytes);
  return file;
}

async function problemOf(bytes: Uint8Array): Promise<GgufError> {
  const error = await readGgufHeader(await fileOf(bytes)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GgufError);
  return error as GgufError;
}

test('the bundled model says what it is', async () => {
  const facts = modelFacts(await readGgufHeader(ember));
  expect(facts.details).toEqual({
    format: 'gguf',
    family: 'llama',
    families: ['llama'],
    parameterSize: '14.41M',
    quantizationLevel: 'Q8_0',
    contextLength: 2048,
    embeddingLength: 384,
  });
  expect(facts.capabilities).toEqual(['completion', 'tools', 'thinking']);
  expect(facts.chatTemplate).toContain('<|im_start|>');
});

test('the length a file must have is known from its header', async () => {
  const bytes = ggufBytes();
  expect((await readGgufHeader(await fileOf(bytes))).expectedFileBytes).toBe(bytes.length);
});

test('versions 2 and 3 are read', async () => {
  for (const version of [2, 3]) {
    const header = await readGgufHeader(await fileOf(ggufBytes({ ...tinyModel, version })));
    expect(header.version).toBe(version);
    expect(header.tensors).toHaveLength(2);
  }
});

test('long arrays are counted and skipped, or kept whole when asked', async () => {
  const file = await fileOf(ggufBytes());
  const tokens = async (keepArraysUpTo: number) =>
    (await readGgufHeader(file, { keepArraysUpTo })).metadata.get('tokenizer.ggml.tokens');
  expect(await tokens(5)).toEqual({ length: 7, values: [] });
  expect(await tokens(7)).toEqual({ length: 7, values: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] });
});

test('what follows a vocabulary is found, however its words lie across the parts that are read', async () => {
  const words = Array.from({ length: 60_000 }, (_, index) => 'w'.repeat(index % 23));
  const long = 'x'.repeat(700_000);
  for (const vocabulary of [words, [long, ...words], [...words, long], [long, long, '']]) {
    const metadata = { 'tokenizer.ggml.tokens': vocabulary, 'general.name': 'behind it' };
    const header = await readGgufHeader(await fileOf(ggufBytes({ ...tinyModel, metadata })), {
      keepArraysUpTo: 0,
    });
    expect(header.metadata.get('tokenizer.ggml.tokens')).toEqual({ length: vocabulary.length, values: [] });
    expect(header.metadata.get('general.name')).toBe('behind it');
    expect(header.tensors).toHaveLength(2);
  }
});

test('version 1 and unknown versions are refused by their number', async () => {
  expect(await problemOf(ggufBytes({ version: 1 }))).toMatchObject({
    problem: 'unsupported-version',
    message: expect.stringContaining('version 1'),
  });
  expect((await problemOf(ggufBytes({ version: 99 }))).problem).toBe('unsupported-version');
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['text', Buffer.from('<!doctype html><title>Sign in</title>')],
  ['short', Buffer.from('GG')],
])('a file that is %s is not a GGUF', async (_, bytes) => {
  expect((await problemOf(bytes)).problem).toBe('not-a-gguf');
});

test('a file cut anywhere in its header is called truncated, never read as something else', async () => {
  const whole = ggufBytes({ metadata: { 'general.architecture': 'llama', list: ['one', 'two'] } });
  for (let length = 4; length < whole.length; length += 1) {
    const { problem } = await problemOf(whole.subarray(0, length));
    expect(['truncated', 'corrupt']).toContain(problem);
  }
});

const absurd = 2n ** 63n;
const start = (tensors: bigint | number, entries: bigint | number) =>
  Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(tensors), uint64(entries)]);

test.each([
  ['as many tensors as a 64-bit number can say', start(absurd, 0)],
  ['more tensors than bytes', start(1_000_000, 0)],
  ['more metadata than bytes', start(0, 60_000)],
  ['a key of absurd length', Buffer.concat([start(0, 1), uint64(absurd), Buffer.alloc(64)])],
  ['a key longer than the file', Buffer.concat([start(0, 1), uint64(1_000_000), Buffer.alloc(64)])],
  ['a value of unknown type', Buffer.concat([start(0, 1), text('k'), uint32(77), Buffer.alloc(64)])],
  [
    'an array of arrays',
    Buffer.concat([start(0, 1), text('k'), uint32(9), uint32(9), uint64(1), Buffer.alloc(64)]),
  ],
  [
    'an array of absurd length',
    Buffer.concat([start(0, 1), text('k'), uint32(9), uint32(4), uint64(2n ** 52n), Buffer.alloc(64)]),
  ],
  [
    'a tensor of too many dimensions',
    Buffer.concat([start(1, 0), text('t'), uint32(2_000_000_000), Buffer.alloc(64)]),
  ],
  [
    'a tensor larger than any disk',
    Buffer.concat([
      start(1, 0),
      text('t'),
      uint32(3),
      uint64(2n ** 50n),
      uint64(2n ** 50n),
      uint64(2n ** 50n),
      uint32(0),
      uint64(0),
    ]),
  ],
])('a header with %s is refused without being believed', async (_, bytes) => {
  expect(['truncated', 'corrupt']).toContain((await problemOf(bytes)).problem);
});

test('what the bytes of a header say when they are damaged is either read or refused, never a crash', async () => {
  const whole = ggufBytes();
  for (let position = 4; position < 400; position += 3) {
    const damaged = Buffer.from(whole);
    damaged[position] = (damaged[position] ?? 0) ^ 0xff;
    const outcome = await readGgufHeader(await fileOf(damaged)).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(GgufError);
  }
});
