import { toUSVString } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { chat, endless, errorOf, never, openEngine, raw, run } from '../../test/engine-fixture.js';
import type { GenerationEvent } from '../generation/generation-event.js';
import { defaultSampling } from '../generation/sampling.js';

const engine = openEngine();
afterAll(() => engine.close());

const sampled = { ...defaultSampling, temperature: 0.9 };

test('answers a chat with the model’s own template', async () => {
  const result = await run(engine, chat('What is the capital of France?'));
  expect(result.text).toContain('Paris');
  expect(result.reason).toEqual({ kind: 'end' });
  expect(result.usage).toMatchObject({ outputTokens: expect.any(Number), reasoningTokens: 0 });
  expect(result.usage.promptTokens).toBeGreaterThan(5);
});

test('says start first, finish last, and text in pieces between', async () => {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate(chat('List the days of the week.'), never)) events.push(event);
  expect(events[0]).toMatchObject({ type: 'start', promptTokens: expect.any(Number) });
  expect(events.at(-1)).toMatchObject({ type: 'finish', durations: { totalMs: expect.any(Number) } });
  const deltas = events.filter((event) => event.type === 'text-delta');
  expect(deltas.length).toBeGreaterThan(5);
  expect(deltas.map(({ text }) => text).join('')).toContain('Monday, Tuesday, Wednesday');
});

test('tells thoughts from the answer and counts them', async () => {
  const result = await run(engine, chat("What's 211 + 145? /think", { maxTokens: 200 }));
  expect(result.reasoning).not.toBe('');
  expect(result.text).toContain('356');
  expect(result.text).not.toContain('think>');
  expect(result.usage.reasoningTokens).toBeGreaterThan(3);
  expect(result.usage.reasoningTokens).toBeLessThan(result.usage.outputTokens);
});

test('reports a tool call as a call', async () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = [{ name: 'get_weather', description: 'Current weather of a city', parameters }];
  const result = await run(engine, chat("How's the weather in Lima right now?", { tools }));
  expect(result.reason).toEqual({ kind: 'tool-calls' });
  expect(result.toolCalls).toHaveLength(1);
  expect(result.toolCalls[0]).toMatchObject({ name: 'get_weather' });
  expect(JSON.parse(result.toolCalls[0]?.argumentsText ?? '')).toEqual({ city: 'Lima' });
});

test('stops before a stop string, leaks no part of it, and names it', async () => {
  const result = await run(engine, chat('Count from 1 to 10.', { stop: ['7', 'never said'] }));
  expect(result.text).toBe('1, 2, 3, 4, 5, 6, ');
  expect(result.reason).toEqual({ kind: 'stop-string', matched: '7' });
});

test('finds a stop string that spreads over several tokens', async () => {
  const result = await run(engine, chat('List the days of the week.', { stop: ['day, Wed'] }));
  expect(result.text).toBe('Monday, Tues');
});

test('gives all text back when a stop string is longer than the output or only begins in it', async () => {
  const stop = ['x'.repeat(5000), 'Sunday. And then some more'];
  const result = await run(engine, chat('List the days of the week.', { stop }));
  expect(result.text).toMatch(/Sunday\.$/);
  expect(result.reason).toEqual({ kind: 'end' });
});

test('ends at the token limit and says so', async () => {
  const result = await run(engine, endless({ maxTokens: 7 }));
  expect(result.reason).toEqual({ kind: 'max-tokens' });
  expect(result.usage.outputTokens).toBe(7);
});

test('with a limit of no tokens, only reads the prompt into the cache', async () => {
  const prompt =
    'A prompt that nobody has sent before, about nothing in particular, to be read ahead of time.';
  const first = await run(engine, chat(prompt, { maxTokens: 0 }));
  expect(first).toMatchObject({ text: '', reason: { kind: 'max-tokens' }, usage: { outputTokens: 0 } });
  const second = await run(engine, chat(prompt, { maxTokens: 1 }));
  expect(second.usage.cachedTokens).toBe(second.usage.promptTokens - 1);
});

test('ends when the context is full and says so', async () => {
  const result = await run(engine, endless({ maxTokens: undefined }));
  expect(result.reason).toEqual({ kind: 'context-full' });
  expect(result.usage.promptTokens + result.usage.outputTokens).toBe(1024);
});

test('says the same for the same seed, and something else for another', async () => {
  const story = (seed: number) =>
    run(engine, raw('Once upon a time', { maxTokens: 40, sampling: { ...sampled, seed } }));
  const first = await story(7);
  expect((await story(7)).text).toBe(first.text);
  expect((await story(8)).text).not.toBe(first.text);
});

test('without a seed, two requests at the same time differ', async () => {
  const story = () => run(engine, raw('Once upon a time', { maxTokens: 40, sampling: sampled }));
  const [first, second] = await Promise.all([story(), story()]);
  expect(first.text).not.toBe(second.text);
});

test('a logit bias bans a token or forces it', async () => {
  const [token] = await engine.tokenize('ember:latest', 'Mercury', never);
  const ask = (bias: number) =>
    run(
      engine,
      chat('Which planet is closest to the sun?', {
        maxTokens: 4,
        wantContextTokens: true,
        sampling: {
          ...defaultSampling,
          temperature: 0,
          repeatPenalty: 1,
          logitBias: { [token as number]: bias },
        },
      }),
    );
  expect((await ask(-100)).contextTokens).not.toContain(token);
  expect((await ask(100)).text).toBe('MercuryMercuryMercuryMercury');
});

test('a strong presence penalty keeps words from coming back', async () => {
  const distinct = (text: string) => {
    const words = text.match(/[a-z]+/gi) ?? [];
    return new Set(words).size / words.length;
  };
  const story = (presencePenalty: number) =>
    run(
      engine,
      endless({
        maxTokens: 120,
        sampling: { ...defaultSampling, temperature: 0, repeatPenalty: 1, presencePenalty },
      }),
    );
  expect(distinct((await story(1.8)).text)).toBeGreaterThan(distinct((await story(0)).text));
});

test('log-probabilities: one entry a token, the chosen one first at temperature 0, all at most 0', async () => {
  const request = chat('What is the capital of France?', { topLogprobs: 4, maxTokens: 8 });
  const plain = await run(engine, { ...request, sampling: { ...request.sampling, repeatPenalty: 1 } });
  expect(plain.logprobs).toHaveLength(plain.usage.outputTokens);
  expect(plain.logprobs.map(({ token }) => token).join('')).toBe(plain.text);
  for (const { token, bytes, logprob, top } of plain.logprobs) {
    expect(Buffer.from(bytes).toString()).toBe(token);
    expect(logprob).toBeLessThanOrEqual(0);
    expect(top).toHaveLength(4);
    expect(top[0]).toEqual({ token, bytes, logprob });
    const descending = top.map((alternative) => alternative.logprob);
    expect([...descending].sort((left, right) => right - left)).toEqual(descending);
  }
});

test('log-probabilities come also when sampling, for the token that was drawn', async () => {
  const result = await run(
    engine,
    raw('Once upon a time', { maxTokens: 20, topLogprobs: 0, sampling: { ...sampled, seed: 3 } }),
  );
  expect(result.logprobs).toHaveLength(20);
  expect(result.logprobs.map(({ token }) => token).join('')).toBe(result.text);
});

test('a repeated prompt and the next turn of a conversation take their prefix from the cache', async () => {
  const first = await run(engine, chat('Please remember this code word: lantern.'));
  const next = await run(
    engine,
    chat('', {
      prompt: {
        kind: 'chat',
        messages: [
          { role: 'user', content: 'Please remember this code word: lantern.' },
          { role: 'assistant', content: first.text },
          { role: 'user', content: 'What was the code word?' },
        ],
      },
    }),
  );
  expect(next.text).toContain('lantern');
  expect(next.start.cachedTokens).toBeGreaterThanOrEqual(first.usage.promptTokens);
  expect(next.usage.cachedTokens).toBe(next.start.cachedTokens);
});

test('a billing header that changes with each request does not spoil the cache', async () => {
  const ask = (checksum: string) =>
    run(
      engine,
      chat('', {
        maxTokens: 1,
        prompt: {
          kind: 'chat',
          messages: [
            {
              role: 'system',
              content: `x-anthropic-billing-header: v=1; cch=${checksum};\nBe brief and kind to all.`,
            },
            { role: 'user', content: 'Who are you?' },
          ],
        },
      }),
    );
  await ask('a1b2c');
  const second = await ask('99zz9');
  expect(second.usage.cachedTokens).toBe(second.usage.promptTokens - 1);
});

test('a prompt longer than the context is refused with both counts', async () => {
  const error = await errorOf(run(engine, chat('word '.repeat(2000))));
  expect(error.code).toBe('context-overflow');
  expect(error.facts).toMatchObject({ contextLength: 1024, promptTokens: expect.any(Number) });
  expect(error.facts['promptTokens']).toBeGreaterThan(2000);
});

test('drops the oldest messages where that is asked for, and keeps the system message and the last', async () => {
  const filler = Array.from({ length: 30 }, (_, index) => [
    { role: 'user' as const, content: `${index} ${'and so on '.repeat(20)}` },
    { role: 'assistant' as const, content: 'I see.' },
  ]).flat();
  const result = await run(
    engine,
    chat('', {
      overflow: 'drop-oldest-messages',
      prompt: {
        kind: 'chat',
        messages: [
          { role: 'system', content: 'Reply with exactly one word.' },
          ...filler,
          { role: 'user', content: "What's the capital of Italy?" },
        ],
      },
    }),
  );
  expect(result.usage.promptTokens).toBeLessThan(1024);
  expect(result.text).toContain('Rome');
});

test.each([
  ['an empty prompt', raw('', { maxTokens: 3 })],
  ['an empty message', chat('', { maxTokens: 3 })],
  ['lone surrogates', chat('\ud83d and \udc4d', { maxTokens: 3 })],
  ['control characters', chat('\u0000\u0007\u001b[31m\u0085\ufeff', { maxTokens: 3 })],
  ['text that spells a special token', chat('<|im_end|><|endoftext|>', { maxTokens: 3 })],
])('%s is answered', async (_name, request) => {
  const { usage } = await run(engine, request);
  expect(usage.promptTokens).toBeGreaterThan(0);
});

test('token ids that the model does not have are refused', async () => {
  const error = await errorOf(run(engine, raw('', { prompt: { kind: 'raw', tokens: [1, 999_999] } })));
  expect(error).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('999999') });
});

test('a model without tokens for it cannot fill in the middle', async () => {
  const prompt = { kind: 'infill', prefix: 'a', suffix: 'b' } as const;
  expect((await errorOf(run(engine, raw('', { prompt })))).code).toBe('unsupported');
});

test('returns the tokens of the whole exchange when asked, and goes on from them', async () => {
  const first = await run(engine, raw('Once upon a time', { maxTokens: 5, wantContextTokens: true }));
  expect(first.contextTokens).toHaveLength(first.usage.promptTokens + 5);
  const prompt = { kind: 'raw', tokens: first.contextTokens ?? [] } as const;
  const second = await run(engine, raw('', { prompt, maxTokens: 5 }));
  expect(second.usage.promptTokens).toBe(first.contextTokens?.length);
});

test('text survives tokens and back, and tokens are counted with the template', async () => {
  const text = 'Grüße, 世界 👋🏽!';
  const tokens = await engine.tokenize('ember:latest', text, never);
  expect(await engine.detokenize('ember:latest', tokens, never)).toBe(text);
  const request = chat('Who are you?');
  const counted = await engine.countTokens(request, never);
  expect(counted).toBe((await run(engine, request)).usage.promptTokens);
});

test('repeats characters of several tokens whole', async () => {
  const events: string[] = [];
  const [first, ...rest] = await engine.tokenize('ember:latest', '👋', never);
  expect(rest.length).toBeGreaterThan(0);
  const prompt = { kind: 'raw', text: 'Hi' } as const;
  const logitBias = { [first as number]: 100 };
  const request = raw('', {
    prompt,
    maxTokens: 6,
    sampling: { ...defaultSampling, temperature: 0, logitBias },
  });
  for await (const event of engine.generate(request, never))
    if (event.type === 'text-delta') events.push(event.text);
  // The first byte of an emoji over and over is no character: it comes as replacement characters, never as halves.
  expect(events.join('')).not.toBe('');
  for (const text of events) expect(toUSVString(text)).toBe(text);
});

test('makes embeddings of any text, of length one, cut where asked', async () => {
  const inputs = ['a cat on a mat', 'a cat on the mat', 'stock prices fell', ''];
  const options = { model: 'ember:latest', overflow: 'error', normalize: true } as const;
  const { vectors, promptTokens } = await engine.embed({ ...options, inputs }, never);
  const dot = (left: readonly number[], right: readonly number[]) =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
  const [cat, theCat, stocks] = vectors as [number[], number[], number[], number[]];
  expect(vectors.map((vector) => vector.length)).toEqual([384, 384, 384, 384]);
  expect(dot(cat, cat)).toBeCloseTo(1, 5);
  expect(dot(cat, theCat)).toBeGreaterThan(dot(cat, stocks));
  expect(promptTokens).toBeGreaterThan(10);
  const cut = await engine.embed({ ...options, inputs: ['a cat'], dimensions: 16 }, never);
  expect(cut.vectors[0]).toHaveLength(16);
  expect(dot(cut.vectors[0] ?? [], cut.vectors[0] ?? [])).toBeCloseTo(1, 5);
});

test('an input too long to embed is refused with both counts, or cut where that is asked for', async () => {
  const request = { model: 'ember:latest', inputs: ['word '.repeat(2000)], normalize: true } as const;
  const error = await errorOf(engine.embed({ ...request, overflow: 'error' }, never));
  expect(error).toMatchObject({ code: 'context-overflow', facts: { contextLength: 1024 } });
  expect((await engine.embed({ ...request, overflow: 'truncate' }, never)).vectors[0]).toHaveLength(384);
});

test('a model that cannot rank says so', async () => {
  const work = engine.rerank({ model: 'ember:latest', query: 'a', documents: ['b'] }, never);
  expect((await errorOf(work)).code).toBe('unsupported');
});
