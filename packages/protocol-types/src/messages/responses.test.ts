import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { countTokensResponseSchema } from './count-tokens-response.js';
import { errorSchema } from './error.js';
import { messageResponseSchema } from './message-response.js';
import { modelListSchema } from './model.js';
import { streamEventSchema } from './stream-event.js';

const usage = {
  input_tokens: 3,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 7,
  cache_creation: null,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: null,
  service_tier: 'standard',
  inference_geo: null,
  speed: null,
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'ember',
  content: [
    { type: 'thinking', thinking: 'Hmm', signature: 'abc' },
    { type: 'text', text: 'Hi', citations: null },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage,
};
const started = { ...message, content: [], stop_reason: null };
const error = { type: 'error', error: { type: 'overloaded_error', message: 'Busy' }, request_id: 'req_1' };

const samples: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  ['answer', messageResponseSchema, message],
  ['message_start', streamEventSchema, { type: 'message_start', message: started }],
  ['ping', streamEventSchema, { type: 'ping' }],
  [
    'thinking start',
    streamEventSchema,
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
  ],
  [
    'thinking delta',
    streamEventSchema,
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'a' } },
  ],
  [
    'signature',
    streamEventSchema,
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'a' } },
  ],
  ['block stop', streamEventSchema, { type: 'content_block_stop', index: 0 }],
  [
    'text start',
    streamEventSchema,
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  ],
  [
    'text delta',
    streamEventSchema,
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'a' } },
  ],
  [
    'tool start',
    streamEventSchema,
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    },
  ],
  [
    'tool delta',
    streamEventSchema,
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
  ],
  [
    'message_delta',
    streamEventSchema,
    {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
      usage: {
        input_tokens: 3,
        output_tokens: 9,
        cache_read_input_tokens: 7,
        cache_creation_input_tokens: 0,
      },
    },
  ],
  ['message_stop', streamEventSchema, { type: 'message_stop' }],
  ['error event', streamEventSchema, error],
  ['error body', errorSchema, error],
  ['count', countTokensResponseSchema, { input_tokens: 12 }],
  [
    'model list',
    modelListSchema,
    {
      data: [
        { type: 'model', id: 'ember:latest', display_name: 'Ember', created_at: '2026-01-02T03:04:05Z' },
      ],
      has_more: false,
      first_id: 'ember:latest',
      last_id: 'ember:latest',
    },
  ],
];

test.each(samples)('a real %s parses whole', (_, schema, sample) => {
  expect(schema.parse(sample)).toEqual(sample);
});

const { usage: _usage, ...withoutUsage } = started;

test.each([
  ['message_start without usage', streamEventSchema, { type: 'message_start', message: withoutUsage }],
  [
    'message_start with null content',
    streamEventSchema,
    { type: 'message_start', message: { ...started, content: null } },
  ],
  [
    'message_delta without usage',
    streamEventSchema,
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
  ],
  [
    'a thinking start without its text',
    streamEventSchema,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', signature: '' } },
  ],
  ['a whole answer without a stop reason', messageResponseSchema, { ...message, stop_reason: null }],
  [
    "another family's error type",
    errorSchema,
    { type: 'error', error: { type: 'server_error', message: 'x' } },
  ],
])('%s, which breaks clients, is refused', (_, schema: z.ZodType, sample) => {
  expect(schema.safeParse(sample).success).toBe(false);
});
