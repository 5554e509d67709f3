import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { findProblems } from '../common/find-problems.js';
import { chatRequestSchema } from './chat-request.js';
import { completionRequestSchema } from './completion-request.js';
import { embeddingsRequestSchema } from './embeddings-request.js';
import { rerankRequestSchema } from './rerank-request.js';

const user = { role: 'user', content: 'Hi' };

const fullChat = {
  model: 'ember',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'file', file: { file_data: 'AA==', filename: 'a.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Hmm',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '42' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'It is 42.' },
        { type: 'refusal', refusal: 'No.' },
      ],
    },
    { role: 'function', name: 'f', content: '42' },
  ],
  stream: true,
  stream_options: { include_usage: true, include_obfuscation: false },
  max_completion_tokens: 10,
  max_tokens: -1,
  temperature: 2,
  top_p: 1,
  frequency_penalty: 1.1,
  presence_penalty: -2,
  seed: 2 ** 63,
  stop: ['a', 'b', 'c', 'd', 'e'],
  logit_bias: { '50256': -100 },
  logprobs: true,
  top_logprobs: 20,
  n: 2,
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  parallel_tool_calls: false,
  functions: [{ name: 'f', parameters: {} }],
  function_call: { name: 'f' },
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'x', schema: { type: 'object' }, strict: true },
  },
  reasoning_effort: 'high',
  reasoning: { effort: 'none' },
  verbosity: 'low',
  store: false,
  metadata: { a: 'b' },
  user: 'u',
  prompt_cache_key: 'k',
  modalities: ['text'],
  top_k: 40,
  min_p: 0.05,
  repeat_penalty: 1.1,
  keep_alive: '5m',
  ttl: 300,
  options: { num_ctx: 8192 },
  chat_template_kwargs: { enable_thinking: false },
  grammar: 'root ::= "a"',
  cache_prompt: true,
  id_slot: -1,
  timings_per_token: true,
  return_progress: true,
};

const samples: ReadonlyArray<readonly [string, z.ZodType, object]> = [
  ['small chat', chatRequestSchema, { model: 'ember', messages: [user] }],
  ['full chat', chatRequestSchema, fullChat],
  [
    'text completion',
    completionRequestSchema,
    {
      model: 'm',
      prompt: 'Once',
      max_tokens: 0,
      echo: true,
      logprobs: 5,
      best_of: 1,
      suffix: '.',
      stop: '\n',
    },
  ],
  ['completion of token lists', completionRequestSchema, { model: 'm', prompt: [[1, 2], [3]] }],
  [
    'embeddings',
    embeddingsRequestSchema,
    { model: 'm', input: ['a'], encoding_format: 'base64', dimensions: 8, user: 'u' },
  ],
  ['embeddings of tokens', embeddingsRequestSchema, { model: 'm', input: [1, 2, 3] }],
  ['rerank', rerankRequestSchema, { model: 'm', query: 'q', documents: ['a', { text: 'b' }], top_n: 1 }],
  ['rerank of texts', rerankRequestSchema, { model: 'm', query: 'q', texts: ['a'], return_text: true }],
];

test.each(samples)('a real %s request parses, and an unknown key does no harm', (_, schema, sample) => {
  expect(schema.parse({ ...sample, from_the_future: { a: 1 } })).toEqual(sample);
});

test.each(samples)('null means absent in every optional field: %s', (_, schema, sample) => {
  const result = schema.safeParse(Object.fromEntries(Object.keys(sample).map((key) => [key, null])));
  const refused = result.success ? [] : findProblems(result.error).map(({ path }) => path);
  expect(['model', 'messages', 'input', 'query']).toEqual(expect.arrayContaining(refused));
});

test.each([
  ['stop', 'x'],
  ['tool_choice', 'required'],
  [
    'tool_choice',
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
    },
  ],
  ['response_format', { type: 'json_object', schema: { type: 'object' } }],
  ['function_call', 'auto'],
])('%s may be %j', (field, value) => {
  const sample = { model: 'm', messages: [user], [field]: value };
  expect(chatRequestSchema.parse(sample)).toEqual(sample);
});

test.each([
  ['model', { model: undefined }, 'is required'],
  ['messages', { messages: undefined }, 'is required'],
  ['messages', { messages: [] }, 'must hold at least one message'],
  ['messages.0.role', { messages: [{ content: 'a' }] }, 'must be one of system, developer, user'],
  [
    'messages.0.content',
    { messages: [{ role: 'user', content: null }] },
    'must be a string or a list of content parts',
  ],
  [
    'messages.0.content.0.type',
    { messages: [{ role: 'user', content: [{ type: 'video' }] }] },
    'must be one of text, image_url',
  ],
  ['messages.0.content.0.text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'is required'],
  ['messages.0.tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }, 'is required'],
  [
    'messages.0.tool_calls.0.function.arguments',
    { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] }] },
    'must be a string',
  ],
  ['temperature', { temperature: 2.1 }, 'must be between 0 and 2'],
  ['temperature', { temperature: '1' }, 'must be a number'],
  ['top_p', { top_p: -0.1 }, 'must be between 0 and 1'],
  ['presence_penalty', { presence_penalty: 3 }, 'must be between -2 and 2'],
  ['top_logprobs', { top_logprobs: 21 }, 'must be between 0 and 20'],
  ['n', { n: 0 }, 'must be between 1 and 128'],
  ['n', { n: 1.5 }, 'must be a whole number'],
  ['max_tokens', { max_tokens: 0 }, 'must be at least 1'],
  ['max_completion_tokens', { max_completion_tokens: -2 }, 'must be at least 1'],
  ['stop', { stop: 3 }, 'must be a string or a list of strings'],
  ['stop.1', { stop: ['a', 3] }, 'must be a string'],
  ['logit_bias.12', { logit_bias: { '12': 200 } }, 'must be between -100 and 100'],
  ['stream', { stream: 'true' }, 'must be true or false'],
  ['tools.0.type', { tools: [{ type: 'custom' }] }, 'must be "function"'],
  ['tool_choice', { tool_choice: 'always' }, 'must be "none", "auto", "required"'],
  ['tool_choice.function.name', { tool_choice: { type: 'function', function: {} } }, 'is required'],
  [
    'response_format.type',
    { response_format: { type: 'xml' } },
    'must be one of text, json_object, json_schema',
  ],
  ['response_format.json_schema', { response_format: { type: 'json_schema' } }, 'is required'],
  ['reasoning_effort', { reasoning_effort: 'huge' }, 'must be one of none, minimal'],
  ['keep_alive', { keep_alive: '300' }, 'must be a number of seconds or a duration'],
  ['options.num_ctx', { options: { num_ctx: 'big' } }, 'must be a number'],
])('a wrong %s is refused by name', (path, fields, message) => {
  const result = chatRequestSchema.safeParse({ model: 'm', messages: [user], ...fields });
  const problems = result.success ? [] : findProblems(result.error);
  expect(problems).toContainEqual({ path, message: expect.stringContaining(message) });
  expect(new Set(problems.map((problem) => problem.path.split('.')[0]))).toEqual(
    new Set([path.split('.')[0]]),
  );
});

test.each([
  [embeddingsRequestSchema, 'input', { input: undefined }],
  [embeddingsRequestSchema, 'encoding_format', { input: 'a', encoding_format: 'hex' }],
  [completionRequestSchema, 'prompt', { prompt: { a: 1 } }],
  [completionRequestSchema, 'logprobs', { prompt: 'a', logprobs: true }],
  [rerankRequestSchema, 'query', { documents: [] }],
])('%#: a wrong field of another request is refused by name', (schema: z.ZodType, path, fields) => {
  const result = schema.safeParse({ model: 'm', ...fields });
  expect(result.success ? [] : findProblems(result.error).map((problem) => problem.path)).toEqual([path]);
});
