import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { chatChunkSchema } from './chat-chunk.js';
import { chatResponseSchema } from './chat-response.js';
import { completionChunkSchema, completionResponseSchema } from './completion-response.js';
import { embeddingsResponseSchema } from './embeddings-response.js';
import { errorSchema } from './error.js';
import { modelDeletedSchema, modelListSchema } from './model.js';
import { rerankResponseSchema } from './rerank-response.js';

const usage = {
  prompt_tokens: 5,
  completion_tokens: 7,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const head = { id: 'chatcmpl-1', created: 1760000000, model: 'ember', system_fingerprint: 'fp' };
const chunk = { ...head, object: 'chat.completion.chunk' };
const logprobs = {
  content: [
    { token: 'A', logprob: -0.1, bytes: [65], top_logprobs: [{ token: 'A', logprob: -0.1, bytes: [65] }] },
  ],
  refusal: null,
};
const call = { id: 'call_x', type: 'function', function: { name: 'f', arguments: '{}' } };

function delta(piece: object, finish: string | null = null) {
  return {
    ...chunk,
    choices: [{ index: 0, delta: piece, logprobs: null, finish_reason: finish }],
    usage: null,
  };
}

const samples: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  [
    'chat answer',
    chatResponseSchema,
    {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null, reasoning_content: 'Hmm' },
          logprobs,
          finish_reason: 'stop',
        },
        {
          index: 1,
          message: { role: 'assistant', content: null, refusal: null, tool_calls: [call] },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage,
    },
  ],
  ['first chunk', chatChunkSchema, delta({ role: 'assistant', content: '' })],
  ['thinking chunk', chatChunkSchema, delta({ reasoning_content: 'Hm' })],
  ['tool start', chatChunkSchema, delta({ tool_calls: [{ index: 0, ...call }] })],
  ['tool piece', chatChunkSchema, delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] })],
  ['last chunk', chatChunkSchema, delta({}, 'length')],
  ['usage chunk', chatChunkSchema, { ...chunk, choices: [], usage }],
  [
    'progress chunk',
    chatChunkSchema,
    { ...chunk, choices: [], prompt_progress: { total: 9, cache: 1, processed: 4, time_ms: 2.5 } },
  ],
  [
    'text answer',
    completionResponseSchema,
    {
      ...head,
      object: 'text_completion',
      choices: [
        {
          index: 0,
          text: 'a',
          logprobs: { tokens: ['a'], token_logprobs: [-1], top_logprobs: [{ a: -1 }], text_offset: [0] },
          finish_reason: 'length',
        },
      ],
      usage,
    },
  ],
  [
    'text chunk',
    completionChunkSchema,
    {
      ...head,
      object: 'text_completion',
      choices: [{ index: 0, text: 'a', logprobs: null, finish_reason: null }],
    },
  ],
  [
    'embeddings',
    embeddingsResponseSchema,
    {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, -1] },
        { object: 'embedding', index: 1, embedding: 'AACAPw==' },
      ],
      model: 'm',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  ],
  [
    'model list',
    modelListSchema,
    {
      object: 'list',
      data: [{ id: 'ember:latest', object: 'model', created: 1, owned_by: 'local', loaded: true }],
    },
  ],
  ['deletion', modelDeletedSchema, { id: 'm', object: 'model', deleted: true }],
  [
    'rerank answer',
    rerankResponseSchema,
    {
      model: 'm',
      object: 'list',
      usage: { prompt_tokens: 1, total_tokens: 1 },
      results: [{ index: 1, relevance_score: 0.9 }],
    },
  ],
  [
    'error',
    errorSchema,
    {
      error: {
        message: 'Too long',
        type: 'exceed_context_size_error',
        param: null,
        code: 'context_length_exceeded',
        n_prompt_tokens: 9,
        n_ctx: 8,
      },
    },
  ],
];

test.each(samples)('a real %s parses whole', (_, schema, sample) => {
  expect(schema.parse(sample)).toEqual(sample);
});

test.each([
  ['a usage chunk without choices', chatChunkSchema, { ...chunk, usage }],
  ['a tool piece without index', chatChunkSchema, delta({ tool_calls: [{ function: { arguments: '' } }] })],
  ['a list of models that is null', modelListSchema, { object: 'list', data: null }],
  ['an error that is a string', errorSchema, { error: 'no' }],
  ['an unknown finish reason', chatChunkSchema, delta({}, 'eos')],
])('%s, which breaks clients, is refused', (_, schema: z.ZodType, sample) => {
  expect(schema.safeParse(sample).success).toBe(false);
});
