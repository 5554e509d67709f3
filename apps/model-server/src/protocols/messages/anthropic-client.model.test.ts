import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { serveEmber } from '../../../test/serve-ember.js';

const { client } = await serveEmber((url) => new Anthropic({ baseURL: `${url}/alt`, apiKey: 'any' }));

/** `temperature` is gone from the newest types and still sent by every older client. */
const greedy = { temperature: 0 } as object;
const ask = (content: string) => ({
  model: 'ember',
  max_tokens: 200,
  messages: [{ role: 'user' as const, content }],
  ...greedy,
});

const textOf = (message: Anthropic.Message) =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Current weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('the official client over the bundled model', () => {
  test('plain, and the second time from the cache', async () => {
    const first = await client.messages.create(ask('What is the capital of France?'));
    expect(textOf(first)).toContain('Paris');
    expect(first.stop_reason).toBe('end_turn');
    const second = await client.messages.create(ask('What is the capital of France?'));
    expect(second.usage.cache_read_input_tokens).toBeGreaterThan(0);
    const total = (message: Anthropic.Message) =>
      message.usage.input_tokens + (message.usage.cache_read_input_tokens ?? 0);
    expect(total(second)).toBe(total(first));
  });

  test('streamed with its helper, the same as plain', async () => {
    const plain = await client.messages.create(ask('List the days of the week.'));
    const streamed = await client.messages.stream(ask('List the days of the week.')).finalMessage();
    expect(textOf(streamed)).toBe(textOf(plain));
    expect(textOf(plain)).toContain('Monday, Tuesday, Wednesday');
  });

  test('a system text steers, and a prefill is gone on from', async () => {
    const steered = await client.messages.create({
      ...ask("What's the capital of Italy?"),
      system: 'Reply with exactly one word.',
    });
    expect(textOf(steered)).toMatch(/^Rome\.?$/);
    const prefilled = await client.messages.create({
      ...ask(''),
      messages: [
        { role: 'user', content: 'List the days of the week.' },
        { role: 'assistant', content: 'Monday, Tuesday,' },
      ],
    });
    expect(textOf(prefilled)).toMatch(/^ ?Wednesday/);
  });

  test('says which stop sequence ended it', async () => {
    const message = await client.messages.create({ ...ask('Count from 1 to 10.'), stop_sequences: ['7'] });
    expect(textOf(message)).toBe('1, 2, 3, 4, 5, 6, ');
    expect(message).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: '7' });
  });

  test('a tool that must be used is used, with input that fits its schema', async () => {
    const message = await client.messages.create({
      ...ask("How's the weather in Lima right now?"),
      tools: [weather],
      tool_choice: { type: 'tool', name: 'get_weather' },
    });
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content.find((block) => block.type === 'tool_use')).toMatchObject({
      name: 'get_weather',
      input: { city: 'Lima' },
    });
  });

  test('a tool, there and back, streamed', async () => {
    const time: Anthropic.Tool = {
      ...weather,
      name: 'get_current_time',
      description: 'Current time in a city',
    };
    const question = { ...ask('What time is it in Tokyo?'), tools: [time] };
    const first = await client.messages.stream(question).finalMessage();
    const use = first.content.find((block) => block.type === 'tool_use');
    expect(use).toMatchObject({ name: 'get_current_time', input: { city: 'Tokyo' } });
    const second = await client.messages.create({
      ...question,
      messages: [
        ...question.messages,
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: use?.id as string, content: '{"time":"14:35"}' }],
        },
      ],
    });
    expect(textOf(second)).toContain('14:35');
  });

  test('structured output, parsed by its own helper', async () => {
    const person = z.object({ name: z.string(), age: z.int() });
    const message = await client.messages.parse({
      ...ask('Extract the name and age from this text as JSON: Tom is 45 years old.'),
      output_config: { format: zodOutputFormat(person) },
    });
    expect(message.parsed_output).toEqual({ name: 'Tom', age: 45 });
  });

  test('thinks when asked to, in a block of its own', async () => {
    const message = await client.messages.create({
      ...ask("What's 211 + 145?"),
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    expect(message.content[0]).toMatchObject({ type: 'thinking', thinking: expect.stringMatching(/.+/) });
    expect(textOf(message)).toContain('356');
    expect(message.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
  });

  test('max_tokens 0 only reads the prompt, and the count is that of the prompt', async () => {
    const warmed = await client.messages.create({
      ...ask('Which planet is closest to the sun?'),
      max_tokens: 0,
    });
    expect(warmed).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    const { messages } = ask('Which planet is closest to the sun?');
    const counted = await client.messages.countTokens({ model: 'ember', messages });
    expect(counted.input_tokens).toBe(
      warmed.usage.input_tokens + (warmed.usage.cache_read_input_tokens ?? 0),
    );
  });

  test('errors come as their own class', async () => {
    await expect(client.messages.create({ ...ask('Hi'), model: 'nope' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
    await expect(client.messages.create(ask('word '.repeat(3000)))).rejects.toBeInstanceOf(
      Anthropic.BadRequestError,
    );
  });

  test('a client that goes away frees its place', async () => {
    const stream = client.messages.stream({ ...ask('Tell me a story.'), max_tokens: 900 });
    stream.on('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    expect(textOf(await client.messages.create(ask('Is Vienna the capital of Austria?')))).toContain('Yes');
  });
});
