import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { openaiClient, weather } from '../../../test/openai-client.js';
import { serveEmber } from '../../../test/serve-ember.js';

const { client, engine } = await serveEmber(openaiClient);

const ask = (content: string) => ({
  model: 'ember',
  temperature: 0,
  messages: [{ role: 'user' as const, content }],
});

describe('chat completions', () => {
  test('plain', async () => {
    const reply = await client.chat.completions.create(ask('What is the capital of France?'));
    expect(reply.choices[0]?.message.content).toContain('Paris');
    expect(reply.choices[0]?.finish_reason).toBe('stop');
    expect(reply.usage?.prompt_tokens).toBeGreaterThan(5);
    expect(await client.models.retrieve('ember')).toMatchObject({ loaded: true });
  });

  test('streamed, word for word the same as plain with the same seed', async () => {
    const wanted = { ...ask('List the days of the week.'), temperature: 0.7, seed: 11 };
    const plain = await client.chat.completions.create(wanted);
    const streamed = await client.chat.completions.stream(wanted).finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(plain.choices[0]?.message.content);
    expect(plain.choices[0]?.message.content).toContain('Monday, Tuesday, Wednesday');
  });

  test('a whole conversation is remembered', async () => {
    const reply = await client.chat.completions.create({
      model: 'ember',
      temperature: 0,
      messages: [
        { role: 'user', content: 'My name is Ada and my dog is called Rex.' },
        { role: 'assistant', content: 'Nice to meet you, Ada!' },
        { role: 'user', content: [{ type: 'text', text: 'What is my name?' }] },
      ],
    });
    expect(reply.choices[0]?.message.content).toContain('Ada');
  });

  test('a developer message steers', async () => {
    const reply = await client.chat.completions.create({
      ...ask(''),
      messages: [
        { role: 'developer', content: 'Reply with exactly one word.' },
        { role: 'user', content: "What's the capital of Italy?" },
      ],
    });
    expect(reply.choices[0]?.message.content).toMatch(/^Rome\.?$/);
  });

  test('max_completion_tokens and stop end it, each with its reason', async () => {
    const short = await client.chat.completions.create({
      ...ask('List the days of the week.'),
      max_completion_tokens: 3,
      max_tokens: 100,
    });
    expect(short.choices[0]?.finish_reason).toBe('length');
    expect(short.usage?.completion_tokens).toBe(3);
    const stopped = await client.chat.completions.create({ ...ask('Count from 1 to 10.'), stop: '7' });
    expect(stopped.choices[0]).toMatchObject({
      message: { content: '1, 2, 3, 4, 5, 6, ' },
      finish_reason: 'stop',
    });
  });

  test('n choices of one prompt differ, and its tokens count once', async () => {
    const single = await client.chat.completions.create({ ...ask('Tell me a story.'), max_tokens: 20 });
    const reply = await client.chat.completions.create({
      ...ask('Tell me a story.'),
      temperature: 1,
      seed: 3,
      n: 3,
      max_tokens: 20,
    });
    expect(new Set(reply.choices.map(({ message }) => message.content)).size).toBeGreaterThan(1);
    expect(reply.usage?.prompt_tokens).toBe(single.usage?.prompt_tokens);
  });

  test.each(['What is the capital of France?', "What's 211 + 145? /think"])(
    'log-probabilities spell the text, not the thought: %s',
    async (question) => {
      const reply = await client.chat.completions.create({
        ...ask(question),
        logprobs: true,
        top_logprobs: 3,
      });
      const tokens = reply.choices[0]?.logprobs?.content ?? [];
      expect(tokens.map(({ token }) => token).join('')).toBe(reply.choices[0]?.message.content);
      for (const { logprob, top_logprobs: top } of tokens) {
        expect(logprob).toBeLessThanOrEqual(0);
        expect(top).toHaveLength(3);
      }
    },
  );

  test('logit_bias forbids a token', async () => {
    const plain = await client.chat.completions.create({
      ...ask('What is the capital of France?'),
      logprobs: true,
      max_tokens: 1,
    });
    const [token] = await engine.tokenize(
      'ember:latest',
      plain.choices[0]?.message.content ?? '',
      new AbortController().signal,
    );
    const reply = await client.chat.completions.create({
      ...ask('What is the capital of France?'),
      max_tokens: 1,
      logit_bias: { [String(token)]: -100 },
    });
    expect(reply.choices[0]?.message.content).not.toBe(plain.choices[0]?.message.content);
  });

  test('thinking comes as reasoning_content and is counted', async () => {
    const reply = await client.chat.completions.create({
      ...ask("What's 211 + 145?"),
      reasoning_effort: 'low',
    });
    const message = reply.choices[0]?.message as { reasoning_content?: string; content: string };
    expect(message.reasoning_content).toBeTruthy();
    expect(message.content).toContain('356');
    expect(reply.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  test('a full round trip of a tool, run by the helper', async () => {
    const seen: unknown[] = [];
    const runner = client.chat.completions.runTools({
      ...ask('What time is it in Tokyo?'),
      stream: true,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_current_time',
            description: 'The current time in a city',
            parameters: weather.function.parameters,
            parse: (text: string): object => JSON.parse(text),
            function: (input: object) => {
              seen.push(input);
              return '{"time":"14:35"}';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('14:35');
    expect(seen).toEqual([{ city: 'Tokyo' }]);
  });

  test('tool_choice is obeyed: none, required, by name and among the allowed', async () => {
    const time = {
      type: 'function' as const,
      function: { name: 'get_current_time', parameters: weather.function.parameters },
    };
    const wanted = { ...ask("How's the weather in Lima right now?"), tools: [weather, time] };
    const none = await client.chat.completions.create({ ...wanted, tool_choice: 'none', max_tokens: 60 });
    expect(none.choices[0]?.message.tool_calls).toBeUndefined();
    const forcing: [OpenAI.ChatCompletionToolChoiceOption, RegExp][] = [
      ['required', /^get_(weather|current_time)$/],
      [{ type: 'function', function: { name: 'get_current_time' } }, /^get_current_time$/],
      [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [time] } }, /^get_current_time$/],
    ];
    for (const [choice, name] of forcing) {
      const forced = await client.chat.completions.create({
        ...wanted,
        messages: [{ role: 'user', content: 'who are you?' }],
        tool_choice: choice,
      });
      const [call] = forced.choices[0]?.message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('no function was called');
      expect(call.function.name).toMatch(name);
      expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });
    }
  });

  test('the older functions form', async () => {
    const reply = await client.chat.completions.create({
      ...ask("How's the weather in Lima right now?"),
      functions: [weather.function],
    });
    expect(reply.choices[0]?.finish_reason).toBe('function_call');
    const call = reply.choices[0]?.message.function_call;
    expect(call?.name).toBe('get_weather');
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: 'Lima' });
  });

  test('structured output through the parse helper', async () => {
    const person = z.object({ name: z.string(), age: z.number().int() });
    const reply = await client.chat.completions.parse({
      ...ask('Extract the name and age from this text as JSON: Tom is 45 years old.'),
      response_format: zodResponseFormat(person, 'person'),
    });
    expect(reply.choices[0]?.message.parsed).toEqual({ name: 'Tom', age: 45 });
  });

  test('a schema is kept to, whatever is asked', async () => {
    const schema = {
      type: 'object',
      properties: {
        mood: { enum: ['calm', 'wild'] },
        tags: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
      },
      required: ['mood', 'tags'],
      additionalProperties: false,
    };
    const reply = await client.chat.completions.create({
      ...ask('Tell me a story.'),
      temperature: 1,
      response_format: { type: 'json_schema', json_schema: { name: 'mood', schema, strict: true } },
    });
    const value = JSON.parse(reply.choices[0]?.message.content ?? '') as { mood: string; tags: unknown[] };
    expect(['calm', 'wild']).toContain(value.mood);
    expect(value.tags.length).toBeLessThanOrEqual(2);
  });

  test('an abort in the middle leaves the server well', async () => {
    const stream = await client.chat.completions.create({
      ...ask('Tell me a story.'),
      temperature: 1,
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) stream.controller.abort();
    const reply = await client.chat.completions.create(ask('who are you?'));
    expect(reply.choices[0]?.message.content).toContain('Ember');
  });

  test('a prompt that is too long is refused with both counts', async () => {
    const error = await client.chat.completions.create(ask('word '.repeat(3000))).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect((error as InstanceType<typeof OpenAI.BadRequestError>).error).toMatchObject({
      code: 'context_length_exceeded',
      n_ctx: 1024,
      n_prompt_tokens: expect.any(Number),
    });
  });
});
