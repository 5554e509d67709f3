import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { findProblems } from '../common/find-problems.js';
import { countTokensRequestSchema } from './count-tokens-request.js';
import { messageRequestSchema } from './message-request.js';

const user = { role: 'user', content: 'Hi' };
const small = { model: 'ember', max_tokens: 100, messages: [user] };

const full = {
  model: 'ember',
  max_tokens: 2048,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'abc' }, title: 'T' },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
        {
          type: 'search_result',
          source: 'https://example.com',
          title: 'T',
          content: [{ type: 'text', text: 'a' }],
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hmm', signature: 'abc' },
        { type: 'redacted_thinking', data: 'x' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'text', text: '11' }],
          is_error: false,
        },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'plain' },
        { type: 'tool_result', tool_use_id: 'toolu_3' },
      ],
    },
    { role: 'system', content: 'Few tokens left.' },
    { role: 'assistant', content: 'It is' },
  ],
  stream: true,
  temperature: 1,
  top_p: 0.5,
  top_k: 40,
  stop_sequences: ['END'],
  tools: [
    {
      name: 'weather',
      description: 'Now',
      input_schema: { type: 'object', properties: { city: {} } },
      strict: true,
    },
    { type: 'custom', name: 'time', input_schema: { type: 'object' } },
    { type: 'bash_20250124', name: 'bash' },
  ],
  tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
  metadata: { user_id: 'u' },
  service_tier: 'auto',
};

const samples: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  ['small message', messageRequestSchema, small],
  ['full message', messageRequestSchema, full],
  ['cache-only message', messageRequestSchema, { ...small, max_tokens: 0, system: 'Be brief.' }],
  [
    'count',
    countTokensRequestSchema,
    { model: 'ember', messages: [user], system: 'Be brief.', thinking: { type: 'adaptive' } },
  ],
];

test.each(samples)('a real %s request parses, and an unknown key does no harm', (_, schema, sample) => {
  expect(schema.parse({ ...sample, from_the_future: { a: 1 } })).toEqual(sample);
});

test.each(samples)('null means absent in every optional field: %s', (_, schema, sample) => {
  const result = schema.safeParse(Object.fromEntries(Object.keys(sample).map((key) => [key, null])));
  const refused = result.success ? [] : findProblems(result.error).map(({ path }) => path);
  expect(['model', 'max_tokens', 'messages']).toEqual(expect.arrayContaining(refused));
});

test('a mark for the prompt cache may stand on any block', () => {
  const marked = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
  const request = { ...small, system: [marked], messages: [{ role: 'user', content: [marked] }] };
  expect(messageRequestSchema.parse(request).system).toEqual([{ type: 'text', text: 'a' }]);
});

test.each([
  ['model', { model: undefined }, 'is required'],
  ['max_tokens', { max_tokens: -1 }, 'must be at least 0'],
  ['max_tokens', { max_tokens: '10' }, 'must be a number'],
  ['messages', { messages: [] }, 'must hold at least one message'],
  [
    'messages.0.role',
    { messages: [{ role: 'tool', content: 'a' }] },
    'must be one of user, assistant, system',
  ],
  ['messages.0.content', { messages: [{ role: 'user' }] }, 'is required'],
  [
    'messages.0.content',
    { messages: [{ role: 'user', content: 1 }] },
    'must be a string or a list of content blocks',
  ],
  [
    'messages.0.content.0.type',
    { messages: [{ role: 'user', content: [{ type: 'video' }] }] },
    'must be one of text, image',
  ],
  [
    'messages.0.content.0.text',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 1 }] }] },
    'must be a string',
  ],
  [
    'messages.0.content.0.input',
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: '{}' }] }] },
    'must be an object',
  ],
  [
    'messages.0.content.0.tool_use_id',
    { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] },
    'is required',
  ],
  [
    'messages.0.content.0.source.type',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'ftp' } }] }] },
    'must be one of base64, url, file',
  ],
  ['system', { system: 3 }, 'must be a string or a list of text blocks'],
  ['system.0.type', { system: [{ type: 'image' }] }, 'must be "text"'],
  ['temperature', { temperature: 1.5 }, 'must be between 0 and 1'],
  ['stop_sequences', { stop_sequences: 'END' }, 'must be a list'],
  ['tools.0.input_schema', { tools: [{ name: 'a' }] }, 'is required'],
  ['tools.0.input_schema', { tools: [{ type: 'custom', name: 'a' }] }, 'is required'],
  ['tool_choice.type', { tool_choice: { type: 'required' } }, 'must be one of auto, any, tool, none'],
  ['tool_choice.name', { tool_choice: { type: 'tool' } }, 'is required'],
  ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 10 } }, 'must be at least 1024'],
  ['output_config.effort', { output_config: { effort: 'tiny' } }, 'must be one of low, medium'],
  ['output_config.format.schema', { output_config: { format: { type: 'json_schema' } } }, 'is required'],
])('a wrong %s is refused by name', (path, fields, message) => {
  const result = messageRequestSchema.safeParse({ ...small, ...fields });
  expect(result.success ? [] : findProblems(result.error)).toEqual([
    { path, message: expect.stringContaining(message) },
  ]);
});
