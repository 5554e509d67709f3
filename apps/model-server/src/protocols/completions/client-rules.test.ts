/*
 * What the family's official client insists on, found by trying it: each test here is named for the rule that a server
 * can break without noticing, because the client then throws, or loses data in silence.
 */
import { createLogger } from '@hearth/service-kit/logger';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import OpenAI from 'openai';
import { catalogueOf, testModel } from '../../../test/create-test-app.js';
import { openaiClientOf } from '../../../test/openai-client.js';
import {
  finishEvent,
  type ScriptStep,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../test/scripted-generator.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationEvent } from '../../generation/generation-event.js';
import type { TextGenerator } from '../../generation/text-generator.js';
import { dialectErrorHandler } from '../../http/dialect-error-handler.js';
import { completionsDialect } from './completions-dialect.js';
import { completionsRoutes } from './completions-routes.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const embedder = { ...testModel, name: 'embedder:latest', capabilities: ['embedding'] as const };

async function serve(script: readonly ScriptStep[], overrides: Partial<TextGenerator> = {}) {
  const generator = scriptedGenerator(script, overrides);
  const app = express().use(express.json());
  app.use(completionsRoutes({ generator, catalogue: catalogueOf(testModel, embedder), keepAliveMs: 20 }));
  app.use(
    dialectErrorHandler([completionsDialect], createLogger({ name: 't', level: 'silent', format: 'json' })),
  );
  const served = await openaiClientOf(app);
  closers.push(served.close);
  return { ...served, generator };
}

const ask = { model: 'ember', messages: [{ role: 'user' as const, content: 'Hi' }] };
const hello: readonly ScriptStep[] = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];
const broken: readonly ScriptStep[] = [
  startEvent,
  ...textEvents('A'),
  new GenerationError('engine-crashed', 'the engine is gone'),
];
const thoughtful: readonly ScriptStep[] = [
  startEvent,
  { type: 'reasoning-delta', text: 'Let me ' },
  { type: 'reasoning-delta', text: 'think' },
  ...textEvents('A'),
  finishEvent,
];
const twoCalls: readonly ScriptStep[] = [
  startEvent,
  ...['f', 'g'].flatMap((name, index): GenerationEvent[] => [
    { type: 'tool-call-start', index, id: `call_${name}`, name },
    { type: 'tool-call-delta', index, argumentsText: '{}' },
    { type: 'tool-call-end', index },
  ]),
  finishEvent,
];

async function raw(url: string, path: string, body: object): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('rule 1: the first piece of a choice has its role', async () => {
  const { client } = await serve(hello);
  const reply = await client.chat.completions.stream(ask).finalChatCompletion();
  expect(reply.choices[0]?.message.role).toBe('assistant');
});

test('rule 2: every choice ends with a finish reason', async () => {
  const { client } = await serve(hello);
  const reply = await client.chat.completions.stream({ ...ask, n: 3 }).finalChatCompletion();
  expect(reply.choices.map((choice) => choice.finish_reason)).toEqual(['stop', 'stop', 'stop']);
});

test('rule 3: the usage chunk has its choices, and idle time is filled with comments only', async () => {
  let goOn: () => void = () => undefined;
  const pause = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { client, url } = await serve([startEvent, pause, ...textEvents('A'), finishEvent]);
  const wanted = { ...ask, stream_options: { include_usage: true } };
  const streamed = await raw(url, '/v1/chat/completions', { ...wanted, stream: true });
  let wire = '';
  for await (const bytes of streamed.body ?? []) {
    wire += Buffer.from(bytes as Uint8Array).toString();
    if (wire.includes(': ping\n\n')) goOn();
  }
  expect(wire).not.toContain('event:');
  const reply = await client.chat.completions.stream(wanted).finalChatCompletion();
  expect(reply.usage?.total_tokens).toBe(9);
});

test('rule 4: pieces of calls are numbered from 0 and say their type', async () => {
  const { client } = await serve(twoCalls);
  const reply = await client.chat.completions.stream(ask).finalChatCompletion();
  expect(reply.choices[0]?.message.tool_calls).toEqual([
    { id: 'call_f', type: 'function', function: { name: 'f', arguments: '{}' } },
    { id: 'call_g', type: 'function', function: { name: 'g', arguments: '{}' } },
  ]);
});

test('rule 5: whoever reads the chunks gets every piece of the thought', async () => {
  const { client } = await serve(thoughtful);
  let thought = '';
  for await (const { choices } of await client.chat.completions.create({ ...ask, stream: true })) {
    const delta = choices[0]?.delta as { reasoning_content?: string } | undefined;
    thought += delta?.reasoning_content ?? '';
  }
  expect(thought).toBe('Let me think');
  const whole = await client.chat.completions.create(ask);
  expect(whole.choices[0]?.message).toMatchObject({ reasoning_content: 'Let me think', content: 'A' });
});

test('rule 6: an error in the middle of a stream is thrown at the reader', async () => {
  const { client, url } = await serve(broken);
  const stream = await client.chat.completions.create({ ...ask, stream: true });
  const read = async () => {
    for await (const _ of stream);
  };
  await expect(read()).rejects.toThrow(OpenAI.APIError);
  const wire = await (await raw(url, '/v1/chat/completions', { ...ask, stream: true })).text();
  expect(wire.endsWith('"code":"engine_crashed"}}\n\n')).toBe(true);
});

test('rule 7: the stream ends with [DONE] and a blank line', async () => {
  const { url } = await serve(hello);
  for (const [path, body] of [
    ['/v1/chat/completions', ask],
    ['/v1/completions', { model: 'ember', prompt: 'Hi' }],
  ] as const) {
    const wire = await (await raw(url, path, { ...body, stream: true })).text();
    expect(wire.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  }
});

test('rule 8: stream: true is always answered with server-sent events', async () => {
  const { url } = await serve(hello);
  for (const [path, body] of [
    ['/v1/chat/completions', ask],
    ['/v1/completions', { model: 'ember', prompt: 'Hi' }],
    ['/v1/responses', { model: 'ember', input: 'Hi' }],
  ] as const) {
    const response = await raw(url, path, { ...body, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await response.text();
  }
});

test('rule 9: everything else is answered with a JSON content type', async () => {
  const { url } = await serve(hello);
  const ok = await raw(url, '/v1/chat/completions', ask);
  const wrong = await raw(url, '/v1/chat/completions', {});
  for (const response of [ok, wrong]) {
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    await response.text();
  }
});

test('rule 10: vectors arrive whole, although the client asks for base64 by itself', async () => {
  const vector = [0.25, -1, 3.5];
  const { client } = await serve([], {
    embed: async () => ({ vectors: [vector], promptTokens: 1, loadDurationMs: 0, totalMs: 1 }),
  });
  const reply = await client.embeddings.create({ model: 'ember', input: 'a' });
  expect(reply.data[0]?.embedding).toEqual(vector);
});

test('rule 11: a streamed response opens with response.created and an empty output', async () => {
  const { client } = await serve(hello);
  const events = [];
  for await (const event of client.responses.stream({ model: 'ember', input: 'Hi' })) events.push(event);
  expect(events[0]).toMatchObject({ type: 'response.created', response: { output: [] } });
});

test('rule 12: a streamed thought opens its part first', async () => {
  const { client } = await serve(thoughtful);
  const response = await client.responses.stream({ model: 'ember', input: 'Hi' }).finalResponse();
  expect(response.output).toMatchObject([
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me think' }] },
    { type: 'message', content: [{ text: 'A' }] },
  ]);
});

test('rule 13: a streamed response has no event that the client does not know', async () => {
  const { client } = await serve([...thoughtful.slice(0, -1), ...twoCalls.slice(1)]);
  const response = await client.responses.stream({ model: 'ember', input: 'Hi' }).finalResponse();
  expect(response.output.map(({ type }) => type)).toEqual([
    'reasoning',
    'message',
    'function_call',
    'function_call',
  ]);
});

test('rule 14: a streamed response that breaks is thrown at the reader, and named failed', async () => {
  const { client, url } = await serve(broken);
  const helper = client.responses.stream({ model: 'ember', input: 'Hi' });
  await expect(helper.finalResponse()).rejects.toMatchObject({ type: 'error', code: 'engine_crashed' });
  const wire = await (await raw(url, '/v1/responses', { model: 'ember', input: 'Hi', stream: true })).text();
  expect(wire).toContain('event: error\n');
  expect(wire).toContain('event: response.failed\n');
});

test('rule 15: overload is tried again by the client, what cannot get better is not', async () => {
  const overloaded = await serve([new GenerationError('overloaded', 'full', { retryAfterSeconds: 0.1 })]);
  await expect(overloaded.client.chat.completions.create(ask)).rejects.toThrow(OpenAI.InternalServerError);
  expect(overloaded.generator.requests).toHaveLength(3);
  const hopeless = await serve([new GenerationError('does-not-fit', 'too large')]);
  await expect(hopeless.client.chat.completions.create(ask)).rejects.toThrow(OpenAI.InternalServerError);
  expect(hopeless.generator.requests).toHaveLength(1);
});

test('a model that only embeds is refused wherever words are asked for, by name and before anything is sent', async () => {
  const { client, generator } = await serve(hello);
  const refusal = {
    status: 400,
    param: 'model',
    message: expect.stringContaining("'embedder' does not generate text"),
  };
  await expect(
    client.chat.completions.create({ ...ask, model: 'embedder', stream: true }),
  ).rejects.toMatchObject(refusal);
  await expect(client.completions.create({ model: 'embedder', prompt: 'Hi' })).rejects.toMatchObject(refusal);
  await expect(client.responses.create({ model: 'embedder', input: 'Hi' })).rejects.toMatchObject(refusal);
  expect(generator.requests).toEqual([]);
});
