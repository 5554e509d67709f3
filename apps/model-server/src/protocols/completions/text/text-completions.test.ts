import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp } from '../../../../test/create-test-app.js';
import {
  finishEvent,
  type ScriptedGenerator,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../../test/scripted-generator.js';
import type { GenerationEvent, TokenLogprob } from '../../../generation/generation-event.js';
import type { GenerationRequest } from '../../../generation/generation-request.js';

const story = scriptedTo(() => [startEvent, ...textEvents(' a', ' time'), finishEvent]);

function scriptedTo(script: (request: GenerationRequest) => GenerationEvent[]): () => ScriptedGenerator {
  return () => scriptedGenerator(script, { detokenize: async (_model, tokens) => `<${tokens.join(' ')}>` });
}

async function complete(fields: object, generator = story(), status = 200) {
  const { app } = createTestApp({ generator });
  const response = await request(app)
    .post('/v1/completions')
    .send({ model: 'ember', ...fields })
    .expect(status);
  return { body: response.body, text: response.text, requests: generator.requests };
}

const withLogprobs = (...tokens: readonly (readonly [string, number])[]): GenerationEvent[] =>
  tokens.map(([token, logprob]) => {
    const entry: TokenLogprob = { token, bytes: [], logprob, top: [{ token, bytes: [], logprob }] };
    return { type: 'text-delta', text: token, logprobs: [entry] };
  });

describe('prompts', () => {
  test('a string is taken as it is, without a chat template', async () => {
    const { body, requests } = await complete({ prompt: 'Once upon' });
    expect(requests.map(({ prompt }) => prompt)).toEqual([{ kind: 'raw', text: 'Once upon' }]);
    expect(body).toEqual({
      id: expect.stringMatching(/^cmpl-[0-9a-f]{24}$/),
      object: 'text_completion',
      created: expect.any(Number),
      model: 'ember',
      system_fingerprint: 'fp_aaaaaaaaaaaa',
      choices: [{ index: 0, text: ' a time', logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 2,
        total_tokens: 9,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      timings: expect.objectContaining({ predicted_n: 2 }),
    });
  });

  test.each([
    [
      ['a', 'b'],
      [
        { kind: 'raw', text: 'a' },
        { kind: 'raw', text: 'b' },
      ],
    ],
    [[1, 2], [{ kind: 'raw', tokens: [1, 2] }]],
    [
      [[1], [2, 3]],
      [
        { kind: 'raw', tokens: [1] },
        { kind: 'raw', tokens: [2, 3] },
      ],
    ],
  ])('%j is one prompt or several', async (prompt, expected) => {
    const { body, requests } = await complete({ prompt });
    expect(requests.map((one) => one.prompt)).toEqual(expected);
    expect(body.choices).toHaveLength(expected.length);
    expect(body.usage).toMatchObject({ prompt_tokens: 7 * expected.length });
  });

  test('n makes several texts of each, with seeds of their own, and reads the prompt once', async () => {
    const { body, requests } = await complete({ prompt: ['a', 'b'], n: 2, seed: 5 });
    expect(requests.map(({ sampling }) => sampling.seed)).toEqual([5, 6, 5, 6]);
    expect(body.choices.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3]);
    expect(body.usage).toMatchObject({ prompt_tokens: 14, completion_tokens: 8 });
  });

  test('suffix fills the gap between', async () => {
    const { requests } = await complete({ prompt: 'def f(', suffix: 'return 1' });
    expect(requests[0]?.prompt).toEqual({ kind: 'infill', prefix: 'def f(', suffix: 'return 1' });
  });

  test.each([
    [{}, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: [1], suffix: 'x' }, 'suffix'],
    [{ prompt: 'a', n: 2, best_of: 1 }, 'best_of'],
    [{ prompt: 'a', best_of: 2, stream: true }, 'best_of'],
    [{ prompt: 'a', echo: true, logprobs: 1 }, 'echo'],
    [{ prompt: Array(65).fill('a'), n: 2 }, 'prompt'],
    [{ prompt: 'a', return_progress: true }, 'return_progress'],
  ])('%j is refused by name', async (fields, param) => {
    const { body } = await complete(fields, story(), 400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
  });
});

describe('the text', () => {
  test('echo puts the prompt before it, also one of tokens', async () => {
    expect((await complete({ prompt: 'Once', echo: true })).body.choices[0].text).toBe('Once a time');
    expect((await complete({ prompt: [1, 2], echo: true })).body.choices[0].text).toBe('<1 2> a time');
  });

  test('logprobs come in the family form, with places in the text', async () => {
    const generator = scriptedTo(() => [startEvent, ...withLogprobs([' a', -0.5], ['b', -1]), finishEvent])();
    const { body, requests } = await complete({ prompt: 'x', logprobs: 1 }, generator);
    expect(requests[0]?.topLogprobs).toBe(1);
    expect(body.choices[0].logprobs).toEqual({
      tokens: [' a', 'b'],
      token_logprobs: [-0.5, -1],
      top_logprobs: [{ ' a': -0.5 }, { b: -1 }],
      text_offset: [0, 2],
    });
  });

  test('best_of shows the likeliest', async () => {
    let made = 0;
    const generator = scriptedTo(() => {
      made += 1;
      return [startEvent, ...withLogprobs(made === 2 ? ['likely', -0.1] : [`rare${made}`, -3]), finishEvent];
    })();
    const { body, requests } = await complete({ prompt: 'x', best_of: 3 }, generator);
    expect(requests).toHaveLength(3);
    expect(body.choices).toEqual([{ index: 0, text: 'likely', logprobs: null, finish_reason: 'stop' }]);
    expect(body.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 6 });
  });

  test('a text cut by its limit says length', async () => {
    const generator = scriptedTo(() => [
      startEvent,
      { ...finishEvent, reason: { kind: 'max-tokens' } } as GenerationEvent,
    ])();
    expect((await complete({ prompt: 'x' }, generator)).body.choices[0].finish_reason).toBe('length');
  });
});

test('the bytes of a stream: the same object with the next piece, then the usage, then [DONE]', async () => {
  const { text } = await complete({
    prompt: 'Once',
    echo: true,
    stream: true,
    stream_options: { include_usage: true },
  });
  const head = `"id":"cmpl-X","created":0,"model":"ember","system_fingerprint":"fp_aaaaaaaaaaaa","object":"text_completion"`;
  const piece = (piece: string) =>
    `data: {${head},"usage":null,"choices":[{"index":0,"text":"${piece}","logprobs":null,"finish_reason":null}]}\n\n`;
  const stable = text.replace(/cmpl-[0-9a-f]{24}/g, 'cmpl-X').replace(/"created":\d+/g, '"created":0');
  expect(stable).toBe(
    [
      piece('Once'),
      piece(' a'),
      piece(' time'),
      `data: {${head},"usage":null,"choices":[{"index":0,"text":"","logprobs":null,"finish_reason":"stop"}],"timings":{"cache_n":3,"prompt_n":4,"prompt_ms":5,"prompt_per_second":800,"predicted_n":2,"predicted_ms":20,"predicted_per_second":100}}\n\n`,
      `data: {${head},"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":0}},"choices":[]}\n\n`,
      'data: [DONE]\n\n',
    ].join(''),
  );
});
