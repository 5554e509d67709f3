import type { Json } from './fuzz-bodies.js';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const runnerFields = {
  model: 'ember',
  stream: true,
  format: schema,
  think: true,
  keep_alive: '5m',
  truncate: true,
  shift: false,
  logprobs: true,
  top_logprobs: 2,
  options: {
    num_ctx: 512,
    num_predict: 3,
    temperature: 0.5,
    top_k: 5,
    top_p: 0.9,
    min_p: 0.1,
    typical_p: 1,
    repeat_last_n: 8,
    repeat_penalty: 1.1,
    presence_penalty: 0.1,
    frequency_penalty: 0.1,
    seed: 1,
    stop: ['END'],
  },
};

const embedFields = { model: 'ember', keep_alive: 60, options: { num_ctx: 512 } };

/** A sound body for each path, with as many fields as go together. */
export const runnerBodies: Readonly<Record<string, Json>> = {
  '/api/generate': { ...runnerFields, prompt: 'Hi', system: 'Be brief.', context: [5, 6], raw: false },
  '/api/chat': {
    ...runnerFields,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm',
        tool_calls: [{ id: 'call_1', function: { index: 0, name: 'weather', arguments: { city: 'Lima' } } }],
      },
      { role: 'tool', content: '11', tool_name: 'weather', tool_call_id: 'call_1' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', description: 'Now', parameters: schema } }],
  },
  '/api/embed': { ...embedFields, input: ['a', 'b'], truncate: true, dimensions: 8 },
  '/api/embeddings': { ...embedFields, prompt: 'a' },
  '/api/show': { model: 'ember', verbose: false, system: 'Be brief.', options: { top_k: 3 } },
};

const promptFields = {
  model: 'ember',
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Weather?' },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'abc' }, title: 'T' },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'a' }] },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'x' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lima' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '11', is_error: false }],
    },
  ],
  tools: [{ name: 'weather', description: 'Now', input_schema: schema, strict: true }],
  tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  thinking: { type: 'adaptive' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema } },
  keep_alive: '5m',
};

export const messagesBodies: Readonly<Record<string, Json>> = {
  '/alt/v1/messages': {
    ...promptFields,
    max_tokens: 3,
    stream: true,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
    stop_sequences: ['END'],
    stop: 'STOP',
    frequency_penalty: 0.1,
    seed: 1,
    metadata: { user_id: 'u' },
  },
  '/alt/v1/messages/count_tokens': promptFields,
};
