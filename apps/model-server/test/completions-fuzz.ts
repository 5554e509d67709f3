import { errorSchema } from '@hearth/protocol-types/completions/error';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Json, mutatedBody } from './fuzz-bodies.js';

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const sampling = {
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  min_p: 0.1,
  typical_p: 1,
  frequency_penalty: 0.1,
  presence_penalty: 0.1,
  repeat_penalty: 1.1,
  repetition_penalty: 1.1,
  seed: 1,
  stop: ['END'],
  logit_bias: { '5': 1 },
  n: 1,
  stream: false,
  stream_options: { include_usage: true },
  keep_alive: '5m',
  ttl: 60,
  options: { num_ctx: 512, num_predict: 4, top_k: 3, stop: ['x'] },
  cache_prompt: true,
  id_slot: 1,
  return_progress: false,
};

/** A sound body for every POST of the family, with as many of its fields as go together. */
export const soundBodies: Readonly<Record<string, Json>> = {
  '/v1/chat/completions': {
    model: 'ember',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
      { role: 'user', content: 'Hi' },
    ],
    ...sampling,
    max_tokens: 3,
    max_completion_tokens: 4,
    logprobs: true,
    top_logprobs: 2,
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: schema, strict: true } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: true,
    response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
    reasoning_effort: 'low',
    reasoning: { effort: 'low' },
    chat_template_kwargs: { think: false },
    prompt_cache_key: 'k',
    modalities: ['text'],
  },
  '/v1/completions': {
    model: 'ember',
    prompt: ['Once', 'upon'],
    ...sampling,
    max_tokens: 3,
    best_of: 1,
    echo: false,
    logprobs: 1,
  },
  '/v1/embeddings': {
    model: 'ember',
    input: ['a', 'b'],
    encoding_format: 'base64',
    dimensions: 8,
    keep_alive: 5,
  },
  '/v1/rerank': { model: 'ember', query: 'q', documents: ['a', { text: 'b' }], top_n: 1, keep_alive: '1m' },
  '/v1/responses': responsesBody(),
  '/v1/responses/input_tokens': responsesBody(),
};

function responsesBody(): Json {
  return {
    model: 'ember',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ],
    instructions: 'Be brief.',
    max_output_tokens: 4,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
    top_logprobs: 1,
    tools: [{ type: 'function', name: 'f', parameters: schema, strict: true }],
    tool_choice: { type: 'function', name: 'f' },
    text: { format: { type: 'json_schema', name: 's', schema, strict: true } },
    reasoning: { effort: 'low', summary: 'auto' },
    truncation: 'auto',
    include: ['message.output_text.logprobs'],
    metadata: { a: 'b' },
    store: false,
    stream: false,
    options: { num_ctx: 512 },
  };
}

const paths = Object.keys(soundBodies);

export const requests: fc.Arbitrary<{ path: string; body: string }> = fc
  .constantFrom(...paths)
  .chain((path) =>
    fc.record({
      path: fc.constant(path),
      body: fc.oneof(
        { weight: 20, arbitrary: mutatedBody(soundBodies[path] as Json).map((body) => JSON.stringify(body)) },
        { weight: 1, arbitrary: fc.string() },
      ),
    }),
  );

/** Sends it and holds the reply to what every reply must be: in time, no fault of ours, errors in the family's shape. */
export async function sendAndJudge(
  url: string,
  { path, body }: { path: string; body: string },
): Promise<number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status !== 200) expect(errorSchema.safeParse(JSON.parse(text)).success).toBe(true);
  // A stream that began well may not break either.
  expect(text).not.toMatch(/"type":"server_error"/);
  return response.status;
}
