import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { openaiClient, weather } from '../../../test/openai-client.js';
import { serveEmber } from '../../../test/serve-ember.js';

const { client, url, engine } = await serveEmber(openaiClient);

describe('the other endpoints', () => {
  test('text completions carry on a raw text, also one given as tokens', async () => {
    const wanted = { model: 'ember', temperature: 0, max_tokens: 12 };
    const text = await client.completions.create({ ...wanted, prompt: 'Once upon a time', echo: true });
    expect(text.choices[0]?.text).toMatch(/^Once upon a time./);
    const tokens = await engine.tokenize('ember:latest', 'Once upon a time', new AbortController().signal);
    const same = await client.completions.create({ ...wanted, prompt: [...tokens], echo: true });
    expect(same.choices[0]?.text).toBe(text.choices[0]?.text);
    const stream = await client.completions.create({ ...wanted, prompt: 'Once upon a time', stream: true });
    let streamed = 'Once upon a time';
    for await (const chunk of stream) streamed += chunk.choices[0]?.text ?? '';
    expect(streamed).toBe(text.choices[0]?.text);
  });

  test('log-probabilities of a text completion spell the text', async () => {
    const { choices } = await client.completions.create({
      model: 'ember',
      prompt: 'Once upon a time',
      max_tokens: 8,
      logprobs: 2,
      best_of: 2,
    });
    expect(choices[0]?.logprobs?.tokens?.join('')).toBe(choices[0]?.text);
  });

  test('a model without tokens for it refuses to fill a gap', async () => {
    const work = client.completions.create({ model: 'ember', prompt: 'a', suffix: 'b' });
    await expect(work).rejects.toThrow(OpenAI.BadRequestError);
  });

  test('embeddings: unit vectors, in both encodings the same, like texts closer than unlike ones', async () => {
    const input = ['The cat sits.', 'A cat is sitting.', 'What is 9 + 8?'];
    const packed = await client.embeddings.create({ model: 'ember', input });
    const plain = await client.embeddings.create({ model: 'ember', input, encoding_format: 'float' });
    const dot = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
    const [a, b, c] = packed.data.map(({ embedding }) => embedding) as [number[], number[], number[]];
    expect(dot(a, a)).toBeCloseTo(1, 3);
    expect(dot(a, plain.data[0]?.embedding ?? [])).toBeCloseTo(1, 3);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c));
  });

  test('a model that does not rank says so', async () => {
    const reply = await fetch(`${url}/v1/rerank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'ember', query: 'a', documents: ['b'] }),
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { param: 'model', code: 'unsupported_value' } });
  });

  test('responses: plain, streamed, with a thought, with a tool and parsed', async () => {
    const plain = await client.responses.create({
      model: 'ember',
      temperature: 0,
      input: 'What is the capital of France?',
    });
    expect(plain.output_text).toContain('Paris');
    const thought = await client.responses
      .stream({ model: 'ember', temperature: 0, input: "What's 211 + 145? /think" })
      .finalResponse();
    expect(thought.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(thought.output_text).toContain('356');
    const called = await client.responses
      .stream({
        model: 'ember',
        temperature: 0,
        input: "How's the weather in Lima right now?",
        tools: [{ type: 'function', ...weather.function, strict: true }],
      })
      .finalResponse();
    expect(called.output.find((item) => item.type === 'function_call')).toMatchObject({
      name: 'get_weather',
    });
    const parsed = await client.responses.parse({
      model: 'ember',
      temperature: 0,
      input: 'Extract the name and age from this text as JSON: Tom is 45 years old.',
      text: { format: zodTextFormat(z.object({ name: z.string(), age: z.number() }), 'person') },
    });
    expect(parsed.output_parsed).toEqual({ name: 'Tom', age: 45 });
  });

  test('the count of an input is the count of its evaluation', async () => {
    const input = 'What is the capital of France?';
    const { input_tokens: counted } = await client.responses.inputTokens.count({ model: 'ember', input });
    const { usage } = await client.responses.create({ model: 'ember', input, max_output_tokens: 1 });
    expect(counted).toBe(usage?.input_tokens);
  });
});
