import { describe, expect, test } from '@jest/globals';
import { Ollama, type Tool } from 'ollama';
import { z } from 'zod';
import { serveEmber } from '../../../test/serve-ember.js';

const { client } = await serveEmber((url) => new Ollama({ host: url }));

const ask = (content: string) => ({
  model: 'ember',
  messages: [{ role: 'user', content }],
  options: { temperature: 0 },
});

const tool = (name: string, description: string): Tool => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
});

describe('the official client over the bundled model', () => {
  test('plain, with all the figures that its users look at', async () => {
    const reply = await client.chat(ask('What is the capital of France?'));
    expect(reply.message.content).toContain('Paris');
    expect(reply).toMatchObject({ done: true, done_reason: 'stop' });
    for (const figure of [
      'total_duration',
      'load_duration',
      'prompt_eval_duration',
      'eval_duration',
    ] as const) {
      expect(reply[figure]).toBeGreaterThan(0);
    }
    expect(reply.prompt_eval_count).toBeGreaterThan(5);
    expect(reply.eval_count).toBeGreaterThan(1);
  });

  test('streamed, word for word the same as plain with the same seed', async () => {
    const wanted = { ...ask('List the days of the week.'), options: { temperature: 0.7, seed: 11 } };
    const plain = await client.chat(wanted);
    const pieces: string[] = [];
    for await (const part of await client.chat({ ...wanted, stream: true }))
      pieces.push(part.message.content);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toBe(plain.message.content);
    expect(plain.message.content).toContain('Monday, Tuesday, Wednesday');
  });

  test('a tool, there and back', async () => {
    const tools = [tool('get_current_time', 'Current time in a city')];
    const question = ask('What time is it in Tokyo?');
    const first = await client.chat({ ...question, tools });
    expect(first.message.tool_calls?.[0]?.function).toMatchObject({
      name: 'get_current_time',
      arguments: { city: 'Tokyo' },
    });
    const second = await client.chat({
      ...question,
      tools,
      messages: [
        ...question.messages,
        first.message,
        { role: 'tool', content: '{"time":"14:35"}', tool_name: 'get_current_time' },
      ],
    });
    expect(second.message.content).toContain('14:35');
  });

  test('structured output keeps to its schema', async () => {
    const person = z.object({ name: z.string(), age: z.int() });
    const reply = await client.chat({
      ...ask('Extract the name and age from this text as JSON: Tom is 45 years old.'),
      format: z.toJSONSchema(person),
    });
    expect(person.parse(JSON.parse(reply.message.content))).toEqual({ name: 'Tom', age: 45 });
  });

  test('thinks when asked to, apart from the answer', async () => {
    const reply = await client.chat({ ...ask("What's 211 + 145?"), think: true });
    expect(reply.message.thinking).toBeTruthy();
    expect(reply.message.content).toContain('356');
  });

  test('generate: raw, with log-probabilities, and with a context to go on from', async () => {
    const story = await client.generate({
      model: 'ember',
      prompt: 'Once upon a time',
      raw: true,
      options: { temperature: 0, num_predict: 12 },
    });
    expect(story).toMatchObject({ done_reason: 'length', eval_count: 12 });
    expect(story.response?.length).toBeGreaterThan(10);
    const first = await client.generate({
      model: 'ember',
      prompt: 'My name is Ada and my dog is called Rex.',
      options: { temperature: 0 },
      logprobs: true,
      top_logprobs: 2,
    });
    expect(first.logprobs?.[0]?.top_logprobs).toHaveLength(2);
    expect(first.context.length).toBeGreaterThan(10);
    const second = await client.generate({
      model: 'ember',
      prompt: 'What is my name?',
      context: first.context,
      options: { temperature: 0 },
    });
    expect(second.response).toContain('Ada');
  });

  test('stop strings and the limit of tokens end an answer', async () => {
    const stopped = await client.chat({
      ...ask('Count from 1 to 10.'),
      options: { temperature: 0, stop: ['7'] },
    });
    expect(stopped.message.content).toBe('1, 2, 3, 4, 5, 6, ');
    const limited = await client.chat({
      ...ask('Count from 1 to 10.'),
      options: { temperature: 0, num_predict: 3 },
    });
    expect(limited).toMatchObject({ done_reason: 'length', eval_count: 3 });
  });

  test('embeddings are unit vectors, and dimensions cuts them', async () => {
    const { embeddings } = await client.embed({ model: 'ember', input: ['a cat', 'a dog'] });
    expect(embeddings).toHaveLength(2);
    expect(Math.hypot(...(embeddings[0] as number[]))).toBeCloseTo(1, 3);
    const cut = await client.embed({ model: 'ember', input: 'a cat', dimensions: 8 });
    expect(cut.embeddings[0]).toHaveLength(8);
  });

  test('a prompt that does not fit is refused with both counts, and cut only when asked', async () => {
    const long = ask('word '.repeat(3000));
    await expect(client.chat(long)).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringMatching(/\d+ tokens.*1024/),
    });
  });

  test('loading, listing and unloading', async () => {
    await client.generate({ model: 'ember', prompt: '', keep_alive: '1m' });
    const { models } = await client.ps();
    expect(models.map(({ name }) => name)).toEqual(['ember:latest']);
    expect(models[0]?.size).toBeGreaterThan(10_000_000);
    expect(await client.generate({ model: 'ember', prompt: '', keep_alive: 0 })).toMatchObject({
      done_reason: 'unload',
    });
    expect((await client.ps()).models).toEqual([]);
    expect((await client.show({ model: 'ember' })).capabilities).toContain('tools');
  });

  test('a client that goes away frees its place', async () => {
    const read = async () => {
      const endless = ask('Tell me a story.');
      const stream = await client.chat({ ...endless, options: { num_predict: -1 }, stream: true });
      for await (const _part of stream) client.abort();
    };
    await expect(read()).rejects.toThrow(/abort/i);
    expect((await client.chat(ask('Is Vienna the capital of Austria?'))).message.content).toContain('Yes');
  });
});
