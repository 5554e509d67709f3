import { describe, expect, test } from '@jest/globals';
import { finishEvent, startEvent, textEvents } from '../../../../test/scripted-generator.js';
import { GenerationError } from '../../../generation/generation-error.js';
import type { GenerationEvent } from '../../../generation/generation-event.js';
import { serverSentEvents } from '../../../http/frame-writer.js';
import { type ChatStreamOptions, ChatStreamRenderer } from './chat-stream-renderer.js';

const head = { id: 'chatcmpl-1', created: 1_793_534_400, model: 'ember', system_fingerprint: 'fp_1' };
const plain: ChatStreamOptions = {
  legacyFunctions: false,
  logprobs: false,
  includeUsage: false,
  returnProgress: false,
  choices: 1,
};
const timings =
  '"timings":{"cache_n":3,"prompt_n":4,"prompt_ms":5,"prompt_per_second":800,"predicted_n":2,"predicted_ms":20,"predicted_per_second":100}';
const start =
  '{"id":"chatcmpl-1","created":1793534400,"model":"ember","system_fingerprint":"fp_1","object":"chat.completion.chunk"';

/** The bytes on the wire. */
function bytes(events: readonly GenerationEvent[], options: Partial<ChatStreamOptions> = {}): string {
  const renderer = new ChatStreamRenderer(head, { ...plain, ...options });
  const frames = [...events.flatMap((event) => renderer.render(event, 0)), ...renderer.end()];
  return frames.map((frame) => serverSentEvents.encode(frame)).join('');
}

const chunk = (delta: string, finish = 'null', rest = '') =>
  `data: ${start},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]${rest}}\n\n`;

describe('the bytes of a stream', () => {
  test('role first, then text, a finish reason, and [DONE]', () => {
    expect(bytes([startEvent, ...textEvents('Hel', 'lo'), finishEvent])).toBe(
      [
        chunk('{"role":"assistant","content":""}'),
        chunk('{"content":"Hel"}'),
        chunk('{"content":"lo"}'),
        chunk('{}', '"stop"', `,${timings}`),
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  test('thoughts come as reasoning_content before the text', () => {
    const events: GenerationEvent[] = [
      startEvent,
      { type: 'reasoning-delta', text: 'Hm' },
      ...textEvents('A'),
      finishEvent,
    ];
    expect(bytes(events)).toContain(chunk('{"reasoning_content":"Hm"}') + chunk('{"content":"A"}'));
  });

  test('a call opens with index, id, type and name, and its arguments follow in pieces', () => {
    const events: GenerationEvent[] = [
      startEvent,
      { type: 'tool-call-start', index: 0, id: 'call_a', name: 'f' },
      { type: 'tool-call-delta', index: 0, argumentsText: '{"a":' },
      { type: 'tool-call-delta', index: 0, argumentsText: '1}' },
      { type: 'tool-call-end', index: 0 },
      { ...finishEvent, reason: { kind: 'tool-calls' } } as GenerationEvent,
    ];
    expect(bytes(events)).toBe(
      [
        chunk('{"role":"assistant","content":""}'),
        chunk(
          '{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"f","arguments":""}}]}',
        ),
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\":"}}]}'),
        chunk('{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}'),
        chunk('{}', '"tool_calls"', `,${timings}`),
        'data: [DONE]\n\n',
      ].join(''),
    );
    expect(bytes(events, { legacyFunctions: true })).toContain(
      [
        chunk('{"function_call":{"name":"f","arguments":""}}'),
        chunk('{"function_call":{"arguments":"{\\"a\\":"}}'),
        chunk('{"function_call":{"arguments":"1}"}}'),
        chunk('{}', '"function_call"', `,${timings}`),
      ].join(''),
    );
  });

  test('with include_usage every chunk has a null usage and one more chunk, with choices, has the usage', () => {
    expect(bytes([startEvent, ...textEvents('A'), finishEvent], { includeUsage: true })).toBe(
      [
        `data: ${start},"usage":null,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}\n\n`,
        `data: ${start},"usage":null,"choices":[{"index":0,"delta":{"content":"A"},"logprobs":null,"finish_reason":null}]}\n\n`,
        `data: ${start},"usage":null,"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],${timings}}\n\n`,
        `data: ${start},"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":0}},"choices":[]}\n\n`,
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  test('log-probabilities stand beside their text', () => {
    const alternative = { token: 'A', bytes: [65], logprob: -0.5 };
    const logprobs = [{ ...alternative, top: [alternative, { ...alternative, logprob: -Infinity }] }];
    const text: GenerationEvent = { type: 'text-delta', text: 'A', logprobs };
    expect(bytes([startEvent, text, finishEvent], { logprobs: true })).toContain(
      '"delta":{"content":"A"},"logprobs":{"content":[{"token":"A","logprob":-0.5,"bytes":[65],"top_logprobs":[{"token":"A","logprob":-0.5,"bytes":[65]},{"token":"A","logprob":-9999,"bytes":[65]}]}],"refusal":null}',
    );
  });
});

test('progress of the prompt is told only to those who ask', () => {
  const progress: GenerationEvent = { type: 'prompt-progress', processedTokens: 4, totalTokens: 7 };
  expect(bytes([startEvent, progress, finishEvent])).not.toContain('prompt_progress');
  expect(bytes([startEvent, progress, finishEvent], { returnProgress: true })).toMatch(
    /"choices":\[\],"prompt_progress":\{"total":7,"cache":3,"processed":4,"time_ms":\d+\}/,
  );
});

test('each of several choices has its own role, text and finish reason', () => {
  const renderer = new ChatStreamRenderer(head, { ...plain, choices: 2, includeUsage: true });
  const frames = [startEvent, ...textEvents('A'), finishEvent].flatMap((event) => [
    ...renderer.render(event, 0),
    ...renderer.render(event, 1),
  ]);
  for (const index of [0, 1]) {
    expect(frames).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({
          choices: [expect.objectContaining({ index, finish_reason: 'stop' })],
        }),
      }),
    );
  }
  // The prompt was read once for both.
  expect(renderer.end()[0]).toMatchObject({ data: { usage: { prompt_tokens: 7, completion_tokens: 4 } } });
});

test('a stream that breaks ends with the error and without [DONE]', () => {
  const renderer = new ChatStreamRenderer(head, plain);
  expect(renderer.fail(new GenerationError('engine-crashed', 'gone'))).toEqual([
    { data: { error: { message: 'gone', type: 'server_error', param: null, code: 'engine_crashed' } } },
  ]);
});
