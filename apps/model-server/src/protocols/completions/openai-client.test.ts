import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { afterEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { createTestApp } from '../../../test/create-test-app.js';
import { openaiClientOf } from '../../../test/openai-client.js';
import {
  finishEvent,
  type ScriptStep,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../test/scripted-generator.js';
import type { ModelServerParts } from '../../create-app.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationEvent } from '../../generation/generation-event.js';
import type { GenerationRequest } from '../../generation/generation-request.js';
import type { TextGenerator } from '../../generation/text-generator.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Script = readonly ScriptStep[] | ((request: GenerationRequest) => readonly ScriptStep[]);

interface Setup {
  readonly script?: Script;
  readonly generator?: Partial<TextGenerator>;
  readonly parts?: Partial<ModelServerParts>;
  readonly apiKey?: string;
}

const hello: readonly ScriptStep[] = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];

async function serve({ script = hello, generator: overrides, parts, apiKey }: Setup = {}) {
  const generator = scriptedGenerator(script, overrides);
  const { app } = createTestApp({ generator, ...parts });
  const served = await openaiClientOf(app, apiKey);
  closers.push(served.close);
  return { ...served, generator };
}

const ask = { model: 'ember', messages: [{ role: 'user' as const, content: 'Hi' }] };

const calls = (...names: readonly string[]): GenerationEvent[] => [
  startEvent as GenerationEvent,
  ...names.flatMap((name, index): GenerationEvent[] => [
    { type: 'tool-call-start', index, id: `call_${index}`, name },
    { type: 'tool-call-delta', index, argumentsText: '{"city":' },
    { type: 'tool-call-delta', index, argumentsText: '"Lima"}' },
    { type: 'tool-call-end', index },
  ]),
  { ...finishEvent, reason: { kind: 'tool-calls' } } as GenerationEvent,
];

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

/** Calls the tool first and, once its result is there, says it. */
const toolScript: Script = ({ prompt }) => {
  const last = prompt.kind === 'chat' ? prompt.messages.at(-1) : undefined;
  if (last?.role !== 'tool') return calls('get_weather');
  return [startEvent, ...textEvents(`It is ${last.content}.`), finishEvent];
};

describe('chat completions', () => {
  test('plain', async () => {
    const { client } = await serve();
    const reply = await client.chat.completions.create(ask);
    expect(reply.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Hello', refusal: null });
    expect(reply.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 });
    expect(reply._request_id).toMatch(/^req_/);
  });

  test('two replies never share an id', async () => {
    const { client } = await serve();
    const [a, b] = await Promise.all([1, 2].map(() => client.chat.completions.create(ask)));
    expect(a?.id).not.toBe(b?.id);
  });

  test('streamed', async () => {
    const { client } = await serve();
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('Hello');
  });

  test('several choices, streamed through the helper', async () => {
    const { client } = await serve();
    const reply = await client.chat.completions.stream({ ...ask, n: 2 }).finalChatCompletion();
    expect(reply.choices.map(({ message }) => message.content)).toEqual(['Hello', 'Hello']);
  });

  test('log-probabilities', async () => {
    const alternative = { token: 'A', bytes: [65], logprob: -0.5 };
    const logprobs = [{ ...alternative, top: [alternative] }];
    const script: ScriptStep[] = [startEvent, { type: 'text-delta', text: 'A', logprobs }, finishEvent];
    const { client } = await serve({ script });
    const wanted = { ...ask, logprobs: true, top_logprobs: 1 };
    const plain = await client.chat.completions.create(wanted);
    const streamed = await client.chat.completions.stream(wanted).finalChatCompletion();
    for (const reply of [plain, streamed]) {
      expect(reply.choices[0]?.logprobs?.content).toEqual([
        { token: 'A', bytes: [65], logprob: -0.5, top_logprobs: [alternative] },
      ]);
    }
  });

  test('a full round trip of a tool', async () => {
    const { client } = await serve({ script: toolScript });
    const first = await client.chat.completions.create({ ...ask, tools: [weather] });
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    const message = first.choices[0]?.message as OpenAI.ChatCompletionMessage;
    const call = message.tool_calls?.[0] as OpenAI.ChatCompletionMessageFunctionToolCall;
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Lima' });
    const second = await client.chat.completions.create({
      ...ask,
      tools: [weather],
      messages: [...ask.messages, message, { role: 'tool', tool_call_id: call.id, content: 'sunny' }],
    });
    expect(second.choices[0]?.message.content).toBe('It is sunny.');
  });

  test.each([false, true])('runTools runs the tool by itself, streamed: %p', async (stream) => {
    const { client } = await serve({ script: toolScript });
    const seen: unknown[] = [];
    const tool = {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        description: 'The weather of a city',
        parse: (text: string): object => JSON.parse(text),
        function: (input: object) => {
          seen.push(input);
          return 'sunny';
        },
      },
    };
    const runner = stream
      ? client.chat.completions.runTools({ ...ask, tools: [tool], stream: true })
      : client.chat.completions.runTools({ ...ask, tools: [tool] });
    expect(await runner.finalContent()).toBe('It is sunny.');
    expect(seen).toEqual([{ city: 'Lima' }]);
  });

  test('structured output through the parse helper', async () => {
    const { client, generator } = await serve({
      script: [startEvent, ...textEvents('{"name":"Tom"', ',"age":45}'), finishEvent],
    });
    const person = z.object({ name: z.string(), age: z.number() });
    const wanted = { ...ask, response_format: zodResponseFormat(person, 'person') };
    const reply = await client.chat.completions.parse(wanted);
    expect(reply.choices[0]?.message.parsed).toEqual({ name: 'Tom', age: 45 });
    const streamed = await client.chat.completions.stream(wanted).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual({ name: 'Tom', age: 45 });
    expect(generator.requests[0]?.format).toMatchObject({
      kind: 'json-schema',
      schema: { type: 'object', required: ['name', 'age'] },
    });
  });

  test('a client that aborts stops the generation', async () => {
    const never = new Promise(() => undefined);
    const { client, generator } = await serve({ script: [startEvent, ...textEvents('A'), never] });
    const stream = await client.chat.completions.create({ ...ask, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'A') stream.controller.abort();
    const signal = generator.signals[0] as AbortSignal;
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    expect(signal.aborted).toBe(true);
  });
});

describe('the other endpoints', () => {
  test('text completions, plain and streamed', async () => {
    const { client } = await serve();
    const reply = await client.completions.create({ model: 'ember', prompt: 'Say' });
    expect(reply.choices[0]?.text).toBe('Hello');
    let text = '';
    const stream = await client.completions.create({ model: 'ember', prompt: 'Say', stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? '';
    expect(text).toBe('Hello');
  });

  test('models, also one whose name has slashes', async () => {
    const { client } = await serve();
    const page = await client.models.list();
    expect(page.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([['ember:latest', 'local']]);
    expect((await client.models.retrieve('ember')).id).toBe('ember:latest');
    await expect(client.models.retrieve('hf.co/a/b:Q4')).rejects.toThrow(OpenAI.NotFoundError);
  });

  test('responses, plain, streamed and parsed', async () => {
    const { client } = await serve({
      script: ({ format }) =>
        format.kind === 'text' ? hello : [startEvent, ...textEvents('{"a":', '1}'), finishEvent],
    });
    const wanted = { model: 'ember', input: 'Hi' };
    expect((await client.responses.create(wanted)).output_text).toBe('Hello');
    let text = '';
    for await (const event of await client.responses.create({ ...wanted, stream: true })) {
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(text).toBe('Hello');
    expect((await client.responses.stream(wanted).finalResponse()).output_text).toBe('Hello');
    const format = zodTextFormat(z.object({ a: z.number() }), 'a');
    const parsed = await client.responses.parse({ ...wanted, text: { format } });
    expect(parsed.output_parsed).toEqual({ a: 1 });
  });

  test('a full round trip of a tool through responses', async () => {
    const { client } = await serve({ script: toolScript });
    const tools = [{ type: 'function' as const, ...weather.function, strict: false }];
    const first = await client.responses.stream({ model: 'ember', input: 'Weather?', tools }).finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'get_weather', arguments: '{"city":"Lima"}' });
    const second = await client.responses.create({
      model: 'ember',
      tools,
      input: [
        { role: 'user', content: 'Weather?' },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' },
      ],
    });
    expect(second.output_text).toBe('It is sunny.');
  });

  test('input tokens are counted', async () => {
    const { client } = await serve({ generator: { countTokens: async () => 5 } });
    const count = await client.responses.inputTokens.count({ model: 'ember', input: 'Hi' });
    expect(count.input_tokens).toBe(5);
  });
});

describe('errors have the class that a program catches', () => {
  const failure = async (work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof OpenAI.APIError) return error;
    throw new Error(`expected an APIError, got ${String(error)}`);
  };
  const overflow = new GenerationError('context-overflow', 'too long', {
    facts: { promptTokens: 3000, contextLength: 2048 },
  });

  test('a wrong field', async () => {
    const { client } = await serve();
    const error = await failure(client.chat.completions.create({ ...ask, temperature: 9 }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param: 'temperature', type: 'invalid_request_error' });
  });

  test('a prompt that is too long, with both counts', async () => {
    const { client } = await serve({ script: [overflow] });
    const error = await failure(client.chat.completions.create({ ...ask, stream: true }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ type: 'exceed_context_size_error', code: 'context_length_exceeded' });
    expect(error.error).toMatchObject({ n_prompt_tokens: 3000, n_ctx: 2048 });
  });

  test('an unknown model', async () => {
    const { client } = await serve();
    const error = await failure(client.chat.completions.create({ ...ask, model: 'nobody' }));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error.code).toBe('model_not_found');
  });

  test('a wrong key', async () => {
    const { client } = await serve({ parts: { verifier: singleKeyVerifier('sesame') }, apiKey: 'wrong' });
    const error = await failure(client.chat.completions.create(ask));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error.code).toBe('invalid_api_key');
  });

  test('the right key opens', async () => {
    const { client } = await serve({ parts: { verifier: singleKeyVerifier('sesame') }, apiKey: 'sesame' });
    expect((await client.chat.completions.create(ask)).choices).toHaveLength(1);
  });
});
