import { afterAll, expect, test } from '@jest/globals';
import { chat, errorOf, openEngine, run } from '../../test/engine-fixture.js';
import type { GenerationRequest } from '../generation/generation-request.js';
import { defaultSampling } from '../generation/sampling.js';

const engine = openEngine();
afterAll(() => engine.close());

const person = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 12 }, age: { type: 'integer', minimum: 0, maximum: 120 } },
  required: ['name', 'age'],
  additionalProperties: false,
} as const;
const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'] },
} as const;
const time = {
  name: 'get_current_time',
  parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'] },
} as const;

const ask = (content: string, changes: Partial<GenerationRequest>) =>
  run(engine, chat(content, { maxTokens: 120, ...changes }));

test('JSON mode gives an object, whatever was asked', async () => {
  const result = await ask('Tell me a story about a fox.', { format: { kind: 'json' } });
  const isWhole = result.reason.kind === 'end';
  expect(result.text.trimStart().startsWith('{')).toBe(true);
  if (isWhole) expect(JSON.parse(result.text)).toEqual(expect.any(Object));
});

test('a schema is obeyed', async () => {
  const format = { kind: 'json-schema', schema: person } as const;
  const result = await ask('Extract the name and age from this text as JSON: Tom is 45 years old.', {
    format,
  });
  expect(result.reason).toEqual({ kind: 'end' });
  expect(JSON.parse(result.text)).toEqual({ name: 'Tom', age: 45 });
});

test('a schema is obeyed also where the model would say something else, when sampling, and with log-probabilities', async () => {
  const format = { kind: 'json-schema', schema: { enum: ['red', 'green'] } } as const;
  const sampling = { ...defaultSampling, temperature: 1.5, seed: 4 };
  const result = await ask('What is the capital of France?', { format, sampling, topLogprobs: 2 });
  expect(['"red"', '"green"']).toContain(result.text);
  expect(result.logprobs.map(({ token }) => token).join('')).toBe(result.text);
  for (const { logprob } of result.logprobs) expect(logprob).toBeLessThanOrEqual(0);
});

test('a schema that nothing can match is refused, and the engine goes on', async () => {
  const format = { kind: 'json-schema', schema: false } as const;
  expect((await errorOf(ask('hello', { format }))).code).toBe('invalid-request');
  expect((await ask('who are you?', {})).text).toContain('Ember');
});

test('a required tool call is made, even to small talk', async () => {
  const result = await ask('Hello!', { tools: [weather, time], toolChoice: { kind: 'required' } });
  expect(result.reason).toEqual({ kind: 'tool-calls' });
  expect(['get_weather', 'get_current_time']).toContain(result.toolCalls[0]?.name);
  expect(JSON.parse(result.toolCalls[0]?.argumentsText ?? '')).toEqual({ city: expect.any(String) });
});

test('the named tool is called', async () => {
  const toolChoice = { kind: 'tool', name: 'get_current_time' } as const;
  const result = await ask("How's the weather in Lima right now?", { tools: [weather, time], toolChoice });
  expect(result.toolCalls.map(({ name }) => name)).toEqual(['get_current_time']);
});

test('no tool is called where none may be', async () => {
  const result = await ask("How's the weather in Lima right now?", {
    tools: [weather],
    toolChoice: { kind: 'none' },
  });
  expect(result.toolCalls).toEqual([]);
  expect(result.text).not.toContain('<tool_call>');
});

test('tools and a schema together: a call or an answer of that form', async () => {
  const format = { kind: 'json-schema', schema: person } as const;
  const call = await ask("How's the weather in Lima right now?", { tools: [weather], format });
  const answer = await ask('Extract the name and age from this text as JSON: Tom is 45 years old.', {
    tools: [weather],
    format,
  });
  for (const result of [call, answer]) {
    if (result.toolCalls.length > 0) expect(result.toolCalls[0]?.name).toBe('get_weather');
    else expect(Object.keys(JSON.parse(result.text))).toEqual(['name', 'age']);
  }
});

test('a schema holds only after the thought', async () => {
  const format = { kind: 'json-schema', schema: { type: 'integer' } } as const;
  const result = await ask("What's 211 + 145?", {
    format,
    thinking: { mode: 'on' },
    templateVariables: { think: true },
  });
  expect(result.reasoning).not.toBe('');
  expect(Number.isInteger(JSON.parse(result.text))).toBe(true);
});

test('thinking ends when its budget is used up, and the answer follows', async () => {
  const thinking = { mode: 'on', budgetTokens: 5 } as const;
  const result = await ask("What's 211 + 145? /think", { thinking });
  expect(result.usage.reasoningTokens).toBeLessThan(12);
  expect(result.text).not.toBe('');
  expect(result.text).not.toContain('think>');
});
