import { expect, test } from '@jest/globals';
import type { GenerationEvent } from '../../generation/generation-event.js';
import { EventStream } from './event-stream.js';

const delta = (text: string): GenerationEvent => ({ type: 'text-delta', text });
const finish = { type: 'finish' } as GenerationEvent;

function open() {
  const told: string[] = [];
  const stream = new EventStream({
    onRead: (count) => told.push(`read ${count}`),
    onLeave: () => told.push('left'),
    onEnd: () => told.push('ended'),
  });
  return { stream, told };
}

test('gives events in order, also those that came before the reader', async () => {
  const { stream } = open();
  stream.push(delta('a'));
  const seen: GenerationEvent[] = [];
  const reading = (async () => {
    for await (const event of stream) seen.push(event);
  })();
  stream.push(delta('b'));
  await Promise.resolve();
  stream.push(finish);
  await reading;
  expect(seen).toEqual([delta('a'), delta('b'), finish]);
});

test('what came before an error is read before it', async () => {
  const { stream } = open();
  stream.push(delta('a'));
  stream.fail(new Error('gone'));
  expect((await stream.next()).value).toEqual(delta('a'));
  await expect(stream.next()).rejects.toThrow('gone');
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('tells what was read, in batches', async () => {
  const { stream, told } = open();
  for (let count = 0; count < 130; count += 1) stream.push(delta('x'));
  for (let count = 0; count < 130; count += 1) await stream.next();
  expect(told).toEqual(['read 64', 'read 64']);
});

test('a reader that breaks off is told of once; one that reads to the end is not', async () => {
  const left = open();
  left.stream.push(delta('a'));
  for await (const _event of left.stream) break;
  await left.stream.return();
  expect(left.told).toEqual(['ended', 'left']);
  const whole = open();
  whole.stream.push(finish);
  for await (const event of whole.stream) expect(event).toBe(finish);
  expect(whole.told).toEqual(['ended']);
});
