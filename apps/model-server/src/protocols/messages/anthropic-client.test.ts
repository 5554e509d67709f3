import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { finishWith, fullConversation, toolCallEvents } from '../../../test/event-samples.js';
import { finishEvent, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { serveScript } from '../../../test/served-app.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { GenerationError } from '../../generation/generation-error.js';

const closeLater = closeAfterEach();

async function serve(...given: Parameters<typeof serveScript>) {
  const server = closeLater(await serveScript(...given));
  const client = new Anthropic({ baseURL: `${server.url}/alt`, apiKey: 'any', maxRetries: 0 });
  return { ...server, client };
}

const ask = {
  model: 'ember',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};

const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'Now',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const textOf = (message: Anthropic.Message) =>
  message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

describe('the official client, with nothing changed but its address', () => {
  test('creates a message and reads the id of its request', async () => {
    const { client } = await serve();
    const message = await client.messages.create(ask);
    expect(textOf(message)).toBe('Hello');
    expect(message).toMatchObject({ role: 'assistant', stop_reason: 'end_turn', stop_sequence: null });
    expect(message.usage).toMatchObject({ input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 2 });
    expect(message._request_id).toMatch(/^req_/);
  });

  test('streams raw events', async () => {
    const { client } = await serve();
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...ask, stream: true })) types.push(event.type);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('streams with its helper to the same message as without, thoughts and tools included', async () => {
    const { client } = await serve(fullConversation);
    const plain = await client.messages.create({ ...ask, tools: [weather] });
    const deltas: string[] = [];
    const stream = client.messages
      .stream({ ...ask, tools: [weather] })
      .on('text', (text) => deltas.push(text));
    const streamed = await stream.finalMessage();
    expect(deltas).toEqual(['Let me ', 'look.']);
    const comparable = (message: Anthropic.Message) =>
      message.content.map((block) => {
        if (block.type === 'thinking') return [block.type, block.thinking, block.signature];
        if (block.type === 'text') return [block.type, block.text];
        return block.type === 'tool_use' ? [block.type, block.id, block.name, block.input] : [block.type];
      });
    expect(comparable(streamed)).toEqual(comparable(plain));
    expect(streamed.stop_reason).toBe('tool_use');
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens);
  });

  test('streams however many tokens are allowed, where it refuses to wait for them in one piece', async () => {
    const { client, generator } = await serve();
    await client.messages.stream({ ...ask, max_tokens: 64_000 }).finalMessage();
    expect(generator.requests[0]?.maxTokens).toBe(64_000);
  });

  test('makes a full round trip with a tool', async () => {
    const { client, generator } = await serve((request) =>
      request.prompt.kind === 'chat' && request.prompt.messages.at(-1)?.role === 'tool'
        ? [startEvent, ...textEvents('It is 11 degrees.'), finishEvent]
        : [
            startEvent,
            ...toolCallEvents(0, 'weather', ['{"city":"Lima"}']),
            finishWith({ kind: 'tool-calls' }),
          ],
    );
    const first = await client.messages.create({ ...ask, tools: [weather] });
    const use = first.content.find((block) => block.type === 'tool_use');
    expect(use).toMatchObject({ name: 'weather', input: { city: 'Lima' } });
    const second = await client.messages.create({
      ...ask,
      tools: [weather],
      messages: [
        ...ask.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: use?.id as string, content: '11' }] },
      ],
    });
    expect(textOf(second)).toBe('It is 11 degrees.');
    expect(generator.requests[1]?.prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', toolCalls: [{ id: use?.id, argumentsText: '{"city":"Lima"}' }] },
        { role: 'tool', content: '11', toolCallId: use?.id, toolName: 'weather' },
      ],
    });
  });

  test('parses structured output with its own helper', async () => {
    const person = z.object({ name: z.string(), age: z.number() });
    const { client, generator } = await serve([
      startEvent,
      ...textEvents('{"name":"Tom","age":45}'),
      finishEvent,
    ]);
    const message = await client.messages.parse({
      ...ask,
      output_config: { format: zodOutputFormat(person) },
    });
    expect(message.parsed_output).toEqual({ name: 'Tom', age: 45 });
    expect(generator.requests[0]?.format).toMatchObject({
      kind: 'json-schema',
      schema: { type: 'object', required: ['name', 'age'] },
    });
  });

  test('counts tokens, and pages through the models', async () => {
    const { client } = await serve([], { countTokens: async () => 42 });
    expect(await client.messages.countTokens({ model: 'ember', messages: ask.messages })).toEqual({
      input_tokens: 42,
    });
    const ids: string[] = [];
    for await (const model of client.models.list({ limit: 1 })) ids.push(model.id);
    expect(ids).toEqual(['ember:latest']);
    expect((await client.models.retrieve('ember:latest')).id).toBe('ember:latest');
  });

  test('finds the same at the path that agents use', async () => {
    const { url } = await serve();
    const agent = new Anthropic({ baseURL: url, apiKey: 'any' });
    expect(textOf(await agent.messages.create(ask))).toBe('Hello');
  });

  test.each([
    ['invalid-request', 400, Anthropic.BadRequestError, 'invalid_request_error'],
    ['model-not-found', 404, Anthropic.NotFoundError, 'not_found_error'],
    ['conflict', 409, Anthropic.ConflictError, 'conflict_error'],
    ['overloaded', 529, Anthropic.InternalServerError, 'overloaded_error'],
    ['does-not-fit', 500, Anthropic.InternalServerError, 'api_error'],
  ] as const)('maps %s to status %d and its own class', async (code, status, errorClass, type) => {
    const { client } = await serve([new GenerationError(code, 'no')]);
    const error = await client.messages.create(ask).catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
  });

  test('comes back after an overload, and not after what will not change', async () => {
    const full = new GenerationError('overloaded', 'busy', { retryAfterSeconds: 0 });
    let asked = 0;
    const { url, requests } = await serve(() => {
      asked += 1;
      return asked === 1 ? [full] : [startEvent, ...textEvents('Hello'), finishEvent];
    });
    const patient = new Anthropic({ baseURL: `${url}/alt`, apiKey: 'any', maxRetries: 2 });
    expect(textOf(await patient.messages.create(ask))).toBe('Hello');
    expect(requests).toHaveLength(2);
    const hopeless = await serve([new GenerationError('does-not-fit', 'too large')]);
    const eager = new Anthropic({ baseURL: `${hopeless.url}/alt`, apiKey: 'any', maxRetries: 2 });
    await expect(eager.messages.create(ask)).rejects.toMatchObject({ status: 500 });
    expect(hopeless.requests).toHaveLength(1);
  });

  test('is told when a stream breaks', async () => {
    const broken = new GenerationError('engine-crashed', 'the engine stopped');
    const { client } = await serve([startEvent, ...textEvents('Hel'), broken]);
    await expect(client.messages.stream(ask).finalMessage()).rejects.toThrow('the engine stopped');
  });

  test('ends the work when it goes away', async () => {
    const forever = new Promise<never>(() => undefined);
    const { client, generator } = await serve([startEvent, ...textEvents('Hel'), forever]);
    const stream = client.messages.stream(ask);
    stream.on('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    const signal = generator.signals[0] as AbortSignal;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ code: 'cancelled' });
  });

  test('gets in with the key and not without', async () => {
    const { url, client } = await serve(undefined, {}, { verifier: singleKeyVerifier('sesame') });
    await expect(client.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const known = new Anthropic({ baseURL: `${url}/alt`, apiKey: 'sesame' });
    expect(textOf(await known.messages.create(ask))).toBe('Hello');
  });
});

describe('what clients of this family insist on', () => {
  async function frames(script: Parameters<typeof serveScript>[0] = fullConversation) {
    const { url } = await serve(script);
    const reply = await fetch(`${url}/alt/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ ...ask, stream: true }),
    });
    const text = await reply.text();
    const parsed = text
      .split('\n\n')
      .slice(0, -1)
      .map((frame) => {
        const [event, data] = frame.split('\n');
        return { event: event?.replace('event: ', ''), data: JSON.parse((data as string).slice(6)) };
      });
    return { text, parsed };
  }

  test('every frame is named, and the name is its type', async () => {
    for (const { event, data } of (await frames()).parsed) expect(event).toBe(data.type);
  });

  test('message_start has usage and an empty list of content; message_delta has usage', async () => {
    const { parsed } = await frames();
    expect(parsed[0]?.data.message).toMatchObject({
      content: [],
      usage: { input_tokens: expect.any(Number) },
    });
    expect(parsed.at(-2)?.data).toMatchObject({
      type: 'message_delta',
      usage: { output_tokens: expect.any(Number) },
    });
  });

  test('the last frame is message_stop and ends with a blank line', async () => {
    const { text } = await frames();
    expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
  });

  test('text and thinking blocks start with their string, tool_use with its input', async () => {
    const starts = (await frames()).parsed
      .filter(({ event }) => event === 'content_block_start')
      .map(({ data }) => data.content_block);
    expect(starts).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'text', text: '' },
      { type: 'tool_use', id: expect.any(String), name: 'weather', input: {} },
      { type: 'tool_use', id: expect.any(String), name: 'time', input: {} },
    ]);
  });

  test('a call that the limit cut off has an empty input and the reason max_tokens', async () => {
    const { client } = await serve([
      startEvent,
      ...toolCallEvents(0, 'weather', ['{"city": "Li']),
      finishWith({ kind: 'max-tokens' }),
    ]);
    const message = await client.messages.create({ ...ask, tools: [weather] });
    expect(message).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'tool_use', name: 'weather', input: {} }],
    });
  });

  test('an error body has type error, with a type and a message inside', async () => {
    const { url } = await serve();
    const reply = await fetch(`${url}/alt/v1/messages`, { method: 'POST', body: '{}' });
    expect(await reply.json()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String) },
      request_id: reply.headers.get('request-id'),
    });
  });
});
