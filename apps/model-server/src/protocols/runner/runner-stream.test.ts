import { chatLineSchema } from '@hearth/protocol-types/runner/chat-response';
import { generateLineSchema } from '@hearth/protocol-types/runner/generate-response';
import { expect, test } from '@jest/globals';
import { finishWith, fullConversation } from '../../../test/event-samples.js';
import { finishEvent, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { FinishEvent, GenerationEvent } from '../../generation/generation-event.js';
import { type FrameFormat, newlineDelimitedJson, serverSentEvents } from '../../http/frame-writer.js';
import { type AnswerShape, chatShape, generateShape } from './answer-shape.js';
import { RunnerStream } from './runner-stream.js';

const at = '2026-11-15T03:00:00.000Z';

function streamOf(shape: AnswerShape) {
  return new RunnerStream({ model: 'ember', shape, now: () => new Date(at) });
}

function bytes(shape: AnswerShape, events: readonly GenerationEvent[], format: FrameFormat): string {
  const stream = streamOf(shape);
  const frames = [...events.flatMap((event) => stream.render(event)), ...stream.end()];
  return frames.map((frame) => format.encode(frame)).join('');
}

const timing =
  '"total_duration":40000000,"load_duration":12000000,"prompt_eval_count":7,"prompt_eval_duration":5000000';

test('a chat that thinks, speaks and calls tools, byte for byte', () => {
  const head = `{"model":"ember","created_at":"${at}"`;
  expect(bytes(chatShape, fullConversation, newlineDelimitedJson)).toBe(
    [
      `${head},"message":{"role":"assistant","content":"","thinking":"Hm"},"done":false}`,
      `${head},"message":{"role":"assistant","content":"","thinking":"m."},"done":false}`,
      `${head},"message":{"role":"assistant","content":"Let me "},"done":false}`,
      `${head},"message":{"role":"assistant","content":"look."},"done":false}`,
      `${head},"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_0","function":{"index":0,"name":"weather","arguments":{"city":"Lima"}}}]},"done":false}`,
      `${head},"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_1","function":{"index":1,"name":"time","arguments":{}}}]},"done":false}`,
      `${head},"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",${timing},"eval_count":21,"eval_duration":20000000}`,
      '',
    ].join('\n'),
  );
});

test('a generate with its context, byte for byte, as lines and as server-sent events', () => {
  const events = [
    startEvent,
    ...textEvents('Hi'),
    { ...(finishEvent as FinishEvent), contextTokens: [1, 2] },
  ];
  const head = `{"model":"ember","created_at":"${at}"`;
  const lines = [
    `${head},"response":"Hi","done":false}`,
    `${head},"response":"","done":true,"done_reason":"stop","context":[1,2],${timing},"eval_count":2,"eval_duration":20000000}`,
  ];
  expect(bytes(generateShape, events, newlineDelimitedJson)).toBe(lines.map((line) => `${line}\n`).join(''));
  expect(bytes(generateShape, events, serverSentEvents)).toBe(
    lines.map((line) => `data: ${line}\n\n`).join(''),
  );
});

test('every line is what the family’s schema says', () => {
  const chat = streamOf(chatShape);
  for (const { data } of fullConversation.flatMap((event) => chat.render(event))) {
    expect(chatLineSchema.parse(data)).toEqual(data);
  }
  const generate = streamOf(generateShape);
  for (const { data } of [startEvent, ...textEvents('a'), finishEvent].flatMap((e) => generate.render(e))) {
    expect(generateLineSchema.parse(data)).toEqual(data);
  }
});

test.each([
  [{ kind: 'end' }, 'stop'],
  [{ kind: 'stop-string', matched: 'x' }, 'stop'],
  [{ kind: 'tool-calls' }, 'stop'],
  [{ kind: 'max-tokens' }, 'length'],
  [{ kind: 'context-full' }, 'length'],
] as const)('finish %j is done_reason %s', (reason, expected) => {
  const [frame] = streamOf(chatShape).render(finishWith(reason));
  expect(frame?.data).toMatchObject({ done: true, done_reason: expected });
});

test('durations are at least one nanosecond, because clients take 0 for a broken reply', () => {
  const durations = { totalMs: 0, queueMs: 0, loadMs: 0, promptMs: 0, outputMs: 0 };
  const [frame] = streamOf(generateShape).render({ ...(finishEvent as FinishEvent), durations });
  expect(frame?.data).toMatchObject({
    total_duration: 1,
    load_duration: 1,
    prompt_eval_duration: 1,
    eval_duration: 1,
  });
});

test('log-probabilities go with the piece they belong to', () => {
  const bytesOfA = [65];
  const logprobs = [
    { token: 'A', logprob: -0.1, bytes: bytesOfA, top: [{ token: 'B', logprob: -2, bytes: [66] }] },
  ];
  const [frame] = streamOf(generateShape).render({ type: 'text-delta', text: 'A', logprobs });
  expect(frame?.data).toMatchObject({
    response: 'A',
    logprobs: [
      {
        token: 'A',
        logprob: -0.1,
        bytes: [65],
        top_logprobs: [{ token: 'B', logprob: -2, bytes: [66] }],
      },
    ],
  });
});

test('a stream that breaks says so as a string, and that nothing follows', () => {
  const frames = streamOf(chatShape).fail(new GenerationError('engine-crashed', 'the engine stopped'));
  expect(frames.map((frame) => newlineDelimitedJson.encode(frame))).toEqual([
    '{"error":"the engine stopped","done":true}\n',
  ]);
});

test('no line but that one has an error key, and no line is blank', () => {
  const text = bytes(chatShape, fullConversation, newlineDelimitedJson);
  for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).not.toHaveProperty('error');
  const [keepAlive] = streamOf(chatShape).keepAlive();
  expect(keepAlive?.data).toMatchObject({ message: { role: 'assistant', content: '' }, done: false });
});

test('the longest context that models have stays below the 8 MB that Go clients read as one line', () => {
  const contextTokens = Array.from({ length: 262_144 }, () => 200_000);
  const [frame] = streamOf(generateShape).render({ ...(finishEvent as FinishEvent), contextTokens });
  expect(newlineDelimitedJson.encode(frame as { data: unknown }).length).toBeLessThan(8 * 1024 * 1024);
});
