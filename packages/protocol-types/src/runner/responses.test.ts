import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { chatLineSchema } from './chat-response.js';
import { debugRenderResponseSchema } from './debug-render-response.js';
import { embedResponseSchema } from './embed-response.js';
import { embeddingsResponseSchema } from './embeddings-response.js';
import { errorSchema } from './error.js';
import { generateLineSchema } from './generate-response.js';
import { progressResponseSchema } from './progress-response.js';
import { psResponseSchema } from './ps-response.js';
import { showResponseSchema } from './show-response.js';
import { tagsResponseSchema } from './tags-response.js';
import { versionResponseSchema } from './version-response.js';

const line = { model: 'm', created_at: '2026-01-02T03:04:05.123456789Z' };
const metrics = {
  total_duration: 5,
  load_duration: 1,
  prompt_eval_count: 26,
  prompt_eval_duration: 2,
  eval_count: 298,
  eval_duration: 2,
};
const details = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '3.2B',
  quantization_level: 'Q4_K_M',
  context_length: 131072,
  embedding_length: 3072,
};
const digest = 'a'.repeat(64);
const calls = [{ id: 'call_ab12cd34', function: { index: 0, name: 'f', arguments: { a: 1 } } }];
const logprobs = [
  { token: 'A', logprob: -0.1, bytes: [65], top_logprobs: [{ token: 'A', logprob: -0.1, bytes: [65] }] },
];

const samples: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  ['generate chunk', generateLineSchema, { ...line, response: 'Th', done: false, logprobs }],
  [
    'generate final',
    generateLineSchema,
    { ...line, response: '', done: true, done_reason: 'stop', context: [1, 2, 3], ...metrics },
  ],
  ['generate load', generateLineSchema, { ...line, response: '', done: true, done_reason: 'load' }],
  ['chat chunk', chatLineSchema, { ...line, message: { role: 'assistant', content: 'Th' }, done: false }],
  [
    'chat thinking',
    chatLineSchema,
    { ...line, message: { role: 'assistant', content: '', thinking: 'Hmm' }, done: false },
  ],
  [
    'chat tools',
    chatLineSchema,
    { ...line, message: { role: 'assistant', content: '', tool_calls: calls }, done: false },
  ],
  [
    'chat final',
    chatLineSchema,
    { ...line, message: { role: 'assistant', content: '' }, done: true, done_reason: 'length', ...metrics },
  ],
  [
    'rendered prompt',
    debugRenderResponseSchema,
    { ...line, _debug_info: { rendered_template: 'x', image_count: 0 } },
  ],
  [
    'embed',
    embedResponseSchema,
    { model: 'm', embeddings: [[0.1, -0.2]], total_duration: 1, load_duration: 1, prompt_eval_count: 2 },
  ],
  ['embeddings', embeddingsResponseSchema, { embedding: [1.5] }],
  [
    'tags',
    tagsResponseSchema,
    {
      models: [
        {
          name: 'm:latest',
          model: 'm:latest',
          modified_at: '2026-01-02T03:04:05+01:00',
          size: 20,
          digest,
          details,
          capabilities: ['completion', 'tools'],
        },
      ],
    },
  ],
  [
    'ps',
    psResponseSchema,
    {
      models: [
        {
          name: 'm:latest',
          model: 'm:latest',
          size: 20,
          digest,
          details,
          expires_at: '2318-01-02T03:04:05Z',
          size_vram: 0,
          context_length: 4096,
        },
      ],
    },
  ],
  [
    'show',
    showResponseSchema,
    {
      modelfile: '',
      template: '',
      details,
      model_info: { 'general.architecture': 'llama' },
      capabilities: ['completion'],
    },
  ],
  ['version', versionResponseSchema, { version: '0.32.15' }],
  [
    'progress',
    progressResponseSchema,
    { status: 'pulling 6a0746a1ec1a', digest: `sha256:${digest}`, total: 46, completed: 2 },
  ],
  ['success', progressResponseSchema, { status: 'success' }],
  ['error', errorSchema, { error: 'model is required' }],
];

test.each(samples)('a real %s parses whole', (_, schema, sample) => {
  expect(schema.parse(sample)).toEqual(sample);
});

test.each([
  ['a chat line without content', chatLineSchema, { ...line, message: { role: 'assistant' }, done: false }],
  ['a generate line without response', generateLineSchema, { ...line, done: false }],
  ['an error that is not a string', errorSchema, { error: { message: 'x' } }],
  ['tags without a list', tagsResponseSchema, { models: null }],
  ['show without model_info', showResponseSchema, { details }],
  ['an unknown done_reason', generateLineSchema, { ...line, response: '', done: true, done_reason: 'eos' }],
])('%s, which breaks clients, is refused', (_, schema: z.ZodType, sample) => {
  expect(schema.safeParse(sample).success).toBe(false);
});
