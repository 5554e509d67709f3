import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { findProblems } from '../common/find-problems.js';
import { chatRequestSchema } from './chat-request.js';
import { copyRequestSchema } from './copy-request.js';
import { createRequestSchema } from './create-request.js';
import { deleteRequestSchema } from './delete-request.js';
import { embedRequestSchema } from './embed-request.js';
import { embeddingsRequestSchema } from './embeddings-request.js';
import { generateRequestSchema } from './generate-request.js';
import { pullRequestSchema } from './pull-request.js';
import { pushRequestSchema } from './push-request.js';
import { showRequestSchema } from './show-request.js';

const toolTurn = {
  model: 'ember',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Paris?', images: ['aGk='] },
    {
      role: 'assistant',
      content: '',
      thinking: 'Hmm',
      tool_calls: [
        { id: 'call_ab12cd34', function: { index: 0, name: 'weather', arguments: { city: 'Paris' } } },
      ],
    },
    { role: 'tool', content: '11 degrees', tool_name: 'weather', tool_call_id: 'call_ab12cd34' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'Now',
        parameters: {
          type: 'object',
          required: ['city'],
          properties: { city: { type: ['string', 'null'] } },
        },
      },
    },
  ],
  stream: false,
  think: 'high',
  format: { type: 'object', properties: { z: {}, a: {} } },
  options: { num_ctx: 4096, temperature: 0, stop: ['\n'], seed: 42 },
  keep_alive: '1h30m',
  truncate: true,
  shift: false,
  logprobs: true,
  top_logprobs: 20,
};

const everyRequest: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  ['generate', generateRequestSchema, { model: 'ember', prompt: 'Hi', stream: true, options: {} }],
  ['generate, load only', generateRequestSchema, { model: 'ember', keep_alive: 0 }],
  [
    'generate, raw and infill',
    generateRequestSchema,
    { model: 'm', prompt: 'a', suffix: 'b', raw: true, context: [1, 2] },
  ],
  ['chat', chatRequestSchema, toolTurn],
  ['chat, load only', chatRequestSchema, { model: 'ember', messages: [] }],
  ['embed', embedRequestSchema, { model: 'm', input: ['a', 'b'], truncate: false, dimensions: 64 }],
  ['embeddings', embeddingsRequestSchema, { model: 'm', prompt: 'a' }],
  ['show', showRequestSchema, { name: 'm', verbose: true }],
  ['pull', pullRequestSchema, { name: 'm:latest', stream: true, insecure: false }],
  ['push', pushRequestSchema, { model: 'a/m' }],
  [
    'create',
    createRequestSchema,
    {
      model: 'mario',
      from: 'ember',
      system: 'You are Mario',
      license: ['MIT'],
      files: { 'm.gguf': 'sha256:00' },
    },
  ],
  ['copy', copyRequestSchema, { source: 'a', destination: 'b' }],
  ['delete', deleteRequestSchema, { model: 'm' }],
];

test.each(everyRequest)('a real %s request parses, and an unknown key does no harm', (_, schema, sample) => {
  expect(schema.parse({ ...sample, from_the_future: { a: 1 } })).toEqual(sample);
});

test('an option that has no effect does no harm', () => {
  expect(generateRequestSchema.parse({ model: 'm', options: { mirostat: 1, top_k: 3 } }).options).toEqual({
    top_k: 3,
  });
});

test.each(everyRequest)('null means absent in every optional field of %s', (_, schema, sample) => {
  const result = schema.safeParse(Object.fromEntries(Object.keys(sample).map((key) => [key, null])));
  const refused = result.success ? [] : findProblems(result.error).map(({ path }) => path);
  expect(['model', 'source', 'destination']).toEqual(expect.arrayContaining(refused));
});

test('a schema keeps every key in its order', () => {
  const { format } = chatRequestSchema.parse(toolTurn);
  expect(JSON.stringify(format)).toBe(JSON.stringify(toolTurn.format));
});

test('the role is read in any case of letters', () => {
  const { messages } = chatRequestSchema.parse({ model: 'm', messages: [{ role: 'User', content: 'a' }] });
  expect(messages?.[0]?.role).toBe('user');
});

test('a fraction is cut off where an option is whole', () => {
  expect(
    generateRequestSchema.parse({ model: 'm', options: { top_k: 40.9, seed: -1.5, top_p: 0.9 } }).options,
  ).toEqual({
    top_k: 40,
    seed: -1,
    top_p: 0.9,
  });
});

test.each([
  ['format', 'json'],
  ['format', ''],
  ['think', true],
  ['think', 'max'],
  ['keep_alive', -1],
  ['keep_alive', 0.5],
  ['keep_alive', '-1m'],
  ['keep_alive', '300ms'],
  ['keep_alive', '0'],
  ['keep_alive', '1.5h'],
])('%s may be %j', (field, value) => {
  expect(generateRequestSchema.parse({ model: 'm', [field]: value })).toEqual({ model: 'm', [field]: value });
});

test.each([
  ['model', { model: undefined }, 'is required'],
  ['model', { model: 3 }, 'must be a string'],
  ['messages', { messages: 'hi' }, 'must be a list'],
  ['messages.0', { messages: ['hi'] }, 'must be an object'],
  ['messages.0.role', { messages: [{ content: 'a' }] }, 'is required'],
  ['messages.0.role', { messages: [{ role: 'judge' }] }, 'must be one of system, user, assistant, tool'],
  ['messages.0.content', { messages: [{ role: 'user', content: [] }] }, 'must be a string'],
  [
    'messages.0.tool_calls.0.function.arguments',
    { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }] },
    'must be an object',
  ],
  ['tools.0.function.name', { tools: [{ type: 'function', function: {} }] }, 'is required'],
  ['stream', { stream: 'yes' }, 'must be true or false'],
  ['format', { format: 'xml' }, 'must be "json" or a JSON Schema object'],
  ['format', { format: [] }, 'must be "json" or a JSON Schema object'],
  ['think', { think: 'very' }, 'must be true, false, "low", "medium", "high" or "max"'],
  ['keep_alive', { keep_alive: '300' }, 'must be a number of seconds or a duration'],
  ['keep_alive', { keep_alive: 'soon' }, 'must be a number of seconds or a duration'],
  ['top_logprobs', { top_logprobs: 21 }, 'must be between 0 and 20'],
  ['options', { options: 'fast' }, 'must be an object'],
  ['options.temperature', { options: { temperature: '0.5' } }, 'must be a number'],
  ['options.num_ctx', { options: { num_ctx: '4096' } }, 'must be a number'],
  ['options.stop', { options: { stop: 'x' } }, 'must be a list'],
])('a wrong %s is refused by name', (path, fields, message) => {
  const result = chatRequestSchema.safeParse({ model: 'm', ...fields });
  expect(result.success ? [] : findProblems(result.error)).toEqual([
    { path, message: expect.stringContaining(message) },
  ]);
});
