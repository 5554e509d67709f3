import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { describe, expect, test } from '@jest/globals';
import { Ollama, type Tool } from 'ollama';
import { z } from 'zod';
import { finishWith, fullConversation, toolCallEvents } from '../../../test/event-samples.js';
import { finishEvent, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { serveScript } from '../../../test/served-app.js';
import { closeAfterEach } from '../../../test/test-server.js';
import { GenerationError } from '../../generation/generation-error.js';

const closeLater = closeAfterEach();

async function serve(...given: Parameters<typeof serveScript>) {
  const server = closeLater(await serveScript(...given));
  return { ...server, client: new Ollama({ host: server.url }) };
}

const messages = [{ role: 'user', content: 'Hi' }];

const weather: Tool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Now',
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
};

describe('the official client, with nothing changed but its address', () => {
  test('chats, plain and streamed', async () => {
    const { client } = await serve();
    const plain = await client.chat({ model: 'ember', messages });
    expect(plain).toMatchObject({
      message: { role: 'assistant', content: 'Hello' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 7,
      eval_count: 2,
    });
    const pieces: string[] = [];
    for await (const part of await client.chat({ model: 'ember', messages, stream: true })) {
      pieces.push(part.message.content);
    }
    expect(pieces).toEqual(['Hel', 'lo', '']);
  });

  test('generates, plain and streamed', async () => {
    const { client } = await serve();
    expect((await client.generate({ model: 'ember', prompt: 'Hi' })).response).toBe('Hello');
    const parts = [];
    for await (const part of await client.generate({ model: 'ember', prompt: 'Hi', stream: true })) {
      parts.push(part);
    }
    expect(parts.at(-1)).toMatchObject({ done: true, done_reason: 'stop', total_duration: 40_000_000 });
  });

  test('sees thoughts and tool calls, streamed, and calls come whole', async () => {
    const { client } = await serve(fullConversation);
    const parts = [];
    for await (const part of await client.chat({
      model: 'ember',
      messages,
      tools: [weather],
      stream: true,
    })) {
      parts.push(part.message);
    }
    expect(parts.map(({ thinking }) => thinking ?? '').join('')).toBe('Hmm.');
    expect(
      parts.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.function.arguments),
    ).toEqual([{ city: 'Lima' }, {}]);
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
    const first = await client.chat({ model: 'ember', messages, tools: [weather] });
    expect(first.message.tool_calls?.[0]?.function).toMatchObject({
      name: 'weather',
      arguments: { city: 'Lima' },
    });
    const second = await client.chat({
      model: 'ember',
      messages: [...messages, first.message, { role: 'tool', content: '11', tool_name: 'weather' }],
      tools: [weather],
    });
    expect(second.message.content).toBe('It is 11 degrees.');
    expect(generator.requests[1]?.prompt).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', toolCalls: [{ name: 'weather', argumentsText: '{"city":"Lima"}' }] },
        { role: 'tool', content: '11', toolName: 'weather' },
      ],
    });
  });

  test('asks for structured output with a schema made by zod', async () => {
    const person = z.object({ name: z.string(), age: z.number() });
    const { client, generator } = await serve([
      startEvent,
      ...textEvents('{"name":"Tom","age":45}'),
      finishEvent,
    ]);
    const reply = await client.chat({ model: 'ember', messages, format: z.toJSONSchema(person) });
    expect(person.parse(JSON.parse(reply.message.content))).toEqual({ name: 'Tom', age: 45 });
    expect(generator.requests[0]?.format).toMatchObject({
      kind: 'json-schema',
      schema: { type: 'object', required: ['name', 'age'] },
    });
  });

  test('embeds, in the new form and the old', async () => {
    const { client } = await serve([], {
      embed: async ({ inputs }) => ({
        vectors: inputs.map(() => [0.6, 0.8]),
        promptTokens: 2,
        loadDurationMs: 0,
        totalMs: 1,
      }),
    });
    expect((await client.embed({ model: 'ember', input: ['a', 'b'] })).embeddings).toHaveLength(2);
    expect((await client.embeddings({ model: 'ember', prompt: 'a' })).embedding).toEqual([0.6, 0.8]);
  });

  test('lists models, loaded ones and the version', async () => {
    const { client } = await serve();
    expect((await client.list()).models.map(({ name }) => name)).toEqual(['ember:latest']);
    expect((await client.ps()).models).toEqual([]);
    expect(await client.version()).toMatchObject({ version: expect.any(String) });
  });

  test('loads with an empty prompt, streamed or not', async () => {
    const { client } = await serve();
    expect(await client.generate({ model: 'ember', prompt: '' })).toMatchObject({ done_reason: 'load' });
    const parts = [];
    for await (const part of await client.chat({ model: 'ember', messages: [], stream: true }))
      parts.push(part);
    expect(parts).toEqual([expect.objectContaining({ done: true, done_reason: 'load' })]);
  });

  test('gets errors with their status and a message that is text', async () => {
    const { client } = await serve();
    await expect(client.chat({ model: 'nope', messages })).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 404,
      error: "model 'nope' not found",
    });
    await expect(client.generate({ model: 'ember', prompt: 'a', format: 'xml' })).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringContaining('format'),
    });
  });

  test('is told when a stream breaks', async () => {
    const broken = new GenerationError('engine-crashed', 'the engine stopped');
    const { client } = await serve([startEvent, ...textEvents('Hel'), broken]);
    const seen: string[] = [];
    const read = async () => {
      for await (const part of await client.chat({ model: 'ember', messages, stream: true })) {
        seen.push(part.message.content);
      }
    };
    await expect(read()).rejects.toThrow('the engine stopped');
    expect(seen).toEqual(['Hel']);
  });

  test('ends the work when it goes away', async () => {
    const forever = new Promise<never>(() => undefined);
    const { client, generator } = await serve([startEvent, ...textEvents('Hel'), forever]);
    const read = async () => {
      for await (const part of await client.chat({ model: 'ember', messages, stream: true })) {
        if (part.message.content === 'Hel') client.abort();
      }
    };
    await expect(read()).rejects.toThrow(/abort/i);
    const signal = generator.signals[0] as AbortSignal;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ code: 'cancelled' });
  });

  test('gets in with the key and not without', async () => {
    const { url, client } = await serve(undefined, {}, { verifier: singleKeyVerifier('sesame') });
    await expect(client.list()).rejects.toMatchObject({ status_code: 401 });
    const known = new Ollama({ host: url, headers: { authorization: 'Bearer sesame' } });
    expect((await known.list()).models).toHaveLength(1);
  });
});

describe('what clients of other languages insist on', () => {
  async function streamed() {
    const { url } = await serve(fullConversation);
    const reply = await fetch(`${url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ model: 'ember', messages }),
    });
    return await reply.text();
  }

  test('no line is blank, has a prefix, or is longer than 8 MB: the Python and Go clients would stop', async () => {
    const lines = (await streamed()).split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) {
      expect(line).toMatch(/^\{.*\}$/);
      expect(line.length).toBeLessThan(8 * 1024 * 1024);
    }
  });

  test('every line of a chat has message.role and every line of a generate has response', async () => {
    for (const line of (await streamed()).trimEnd().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ message: { role: 'assistant', content: expect.any(String) } });
    }
    const { url } = await serve();
    const reply = await fetch(`${url}/api/generate`, {
      method: 'POST',
      body: JSON.stringify({ model: 'ember', prompt: 'Hi' }),
    });
    for (const line of (await reply.text()).trimEnd().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ response: expect.any(String) });
    }
  });

  test('an error is a plain string and never stands beside an answer as null', async () => {
    const { url } = await serve();
    const refused = await fetch(`${url}/api/chat`, { method: 'POST', body: '{"model":"nope"}' });
    expect(await refused.json()).toEqual({ error: expect.any(String) });
    expect(await streamed()).not.toContain('"error"');
  });
});
