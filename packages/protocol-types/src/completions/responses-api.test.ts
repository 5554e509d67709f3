import { expect, test } from '@jest/globals';
import { findProblems } from '../common/find-problems.js';
import { responsesEventSchema } from './responses-event.js';
import { responsesRequestSchema } from './responses-request.js';
import {
  inputItemListSchema,
  inputTokensSchema,
  responsesDeletedSchema,
  responsesResponseSchema,
} from './responses-response.js';

const request = {
  model: 'ember',
  input: [
    { role: 'user', content: 'Hi' },
    {
      type: 'message',
      role: 'developer',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' },
        { type: 'input_file', file_data: 'AA==', filename: 'a.pdf' },
      ],
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hmm' }],
      encrypted_content: 'x',
    },
    { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: '42' },
    { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: '42' }] },
    { type: 'item_reference', id: 'msg_1' },
  ],
  instructions: 'Be brief.',
  max_output_tokens: 100,
  temperature: 1,
  top_p: 1,
  tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }],
  tool_choice: { type: 'function', name: 'f' },
  parallel_tool_calls: true,
  text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true } },
  reasoning: { effort: 'low', summary: 'auto' },
  previous_response_id: 'resp_1',
  store: true,
  stream: true,
  truncation: 'auto',
  include: ['reasoning.encrypted_content'],
  metadata: { a: 'b' },
  top_logprobs: 2,
  background: false,
  prompt_cache_key: 'k',
  user: 'u',
};

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1760000000,
  completed_at: 1760000001,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  model: 'ember',
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hmm' }] },
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' },
  ],
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  text: { format: { type: 'text' } },
  truncation: 'disabled',
  reasoning: { effort: null, summary: null },
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 3,
  },
  max_output_tokens: null,
  max_tool_calls: null,
  previous_response_id: null,
  store: true,
  background: false,
  service_tier: 'default',
  metadata: {},
  user: null,
  prompt_cache_key: null,
  safety_identifier: null,
};

test('a real request parses, and an unknown key does no harm', () => {
  expect(responsesRequestSchema.parse({ ...request, from_the_future: 1 })).toEqual(request);
  expect(responsesRequestSchema.parse({ model: 'm', input: 'Hi' })).toEqual({ model: 'm', input: 'Hi' });
});

test('null means absent in every optional field', () => {
  const nulls = Object.fromEntries(Object.keys(request).map((key) => [key, null]));
  expect(responsesRequestSchema.safeParse({ ...nulls, model: 'm' }).success).toBe(true);
});

test('items and tools of an unknown type are marked as such, for the dialect to skip or refuse', () => {
  const parsed = responsesRequestSchema.parse({
    model: 'm',
    input: [{ type: 'web_search_call', id: 'ws_1' }],
    tools: [{ type: 'web_search' }],
  });
  expect(parsed.input).toEqual([{ type: 'unsupported', wire_type: 'web_search_call' }]);
  expect(parsed.tools).toEqual([{ type: 'unsupported', wire_type: 'web_search' }]);
});

test.each([
  ['input', { input: 3 }, 'must be a string or a list of input items'],
  ['input.0.role', { input: [{ content: 'a' }] }, 'is required'],
  [
    'input.0.role',
    { input: [{ type: 'message', role: 'tool', content: 'a' }] },
    'must be one of user, assistant',
  ],
  [
    'input.1.call_id',
    {
      input: [
        { role: 'user', content: 'a' },
        { type: 'function_call', name: 'f', arguments: '' },
      ],
    },
    'is required',
  ],
  [
    'input.0.content.0.type',
    { input: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
    'must be one of input_text',
  ],
  ['tools.0.name', { tools: [{ type: 'function' }] }, 'is required'],
  ['tool_choice', { tool_choice: 'always' }, 'must be "none", "auto", "required"'],
  ['text.format.schema', { text: { format: { type: 'json_schema', name: 'x' } } }, 'is required'],
  ['reasoning.effort', { reasoning: { effort: 'huge' } }, 'must be one of none'],
  ['truncation', { truncation: 'middle' }, 'must be one of auto, disabled'],
  ['max_output_tokens', { max_output_tokens: 0 }, 'must be at least 1'],
])('a wrong %s is refused by name', (path, fields, message) => {
  const result = responsesRequestSchema.safeParse({ model: 'm', input: 'a', ...fields });
  expect(result.success ? [] : findProblems(result.error)).toEqual([
    { path, message: expect.stringContaining(message) },
  ]);
});

test('a real response parses whole', () => {
  expect(responsesResponseSchema.parse(response)).toEqual(response);
});

test('a response without its list of output, which breaks clients, is refused', () => {
  expect(responsesResponseSchema.safeParse({ ...response, output: undefined }).success).toBe(false);
});

test('the small answers parse whole', () => {
  const deleted = { id: 'resp_1', object: 'response', deleted: true };
  expect(responsesDeletedSchema.parse(deleted)).toEqual(deleted);
  const counted = { object: 'response.input_tokens', input_tokens: 3 };
  expect(inputTokensSchema.parse(counted)).toEqual(counted);
  const items = {
    object: 'list',
    data: [{ id: 'msg_1' }],
    first_id: 'msg_1',
    last_id: 'msg_1',
    has_more: false,
  };
  expect(inputItemListSchema.parse(items)).toEqual(items);
});

const inItem = { item_id: 'i', output_index: 0 };
const inContent = { ...inItem, content_index: 0 };
const inSummary = { ...inItem, summary_index: 0 };
const begun = { ...response, status: 'in_progress', completed_at: null, usage: null, output: [] };
const part = { type: 'output_text', text: '', annotations: [] };
const summary = { type: 'summary_text', text: '' };

test.each([
  { type: 'response.created', response: begun },
  { type: 'response.in_progress', response: begun },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'reasoning', id: 'rs_1', summary: [] },
  },
  { type: 'response.reasoning_summary_part.added', ...inSummary, part: summary },
  { type: 'response.reasoning_summary_text.delta', ...inSummary, delta: 'a' },
  { type: 'response.reasoning_summary_text.done', ...inSummary, text: 'a' },
  { type: 'response.reasoning_summary_part.done', ...inSummary, part: summary },
  { type: 'response.content_part.added', ...inContent, part },
  { type: 'response.output_text.delta', ...inContent, delta: 'a', logprobs: [] },
  { type: 'response.output_text.done', ...inContent, text: 'a', logprobs: [] },
  { type: 'response.content_part.done', ...inContent, part },
  { type: 'response.output_item.done', output_index: 0, item: response.output[1] },
  { type: 'response.function_call_arguments.delta', ...inItem, delta: '{' },
  { type: 'response.function_call_arguments.done', ...inItem, name: 'f', arguments: '{}' },
  { type: 'response.completed', response },
  {
    type: 'response.incomplete',
    response: { ...response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  },
  {
    type: 'response.failed',
    response: { ...response, status: 'failed', error: { code: 'server_error', message: 'x' } },
  },
  { type: 'error', code: null, message: 'x', param: null },
])('a real $type event parses whole', (sample) => {
  const numbered = { ...sample, sequence_number: 4 };
  expect(responsesEventSchema.parse(numbered)).toEqual(numbered);
  expect(responsesEventSchema.safeParse(sample).success).toBe(false);
});

test('an event of an unknown type, which breaks clients, is refused', () => {
  expect(responsesEventSchema.safeParse({ type: 'response.ping', sequence_number: 0 }).success).toBe(false);
});
