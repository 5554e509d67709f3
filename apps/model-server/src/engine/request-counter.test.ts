import { expect, test } from '@jest/globals';
import { RequestCounter } from './request-counter.js';

test('counts who waits and who is served', () => {
  const counter = new RequestCounter(10, 2);
  const first = counter.enter();
  const second = counter.enter();
  first.started();
  expect([counter.waiting, counter.running]).toEqual([1, 1]);
  first.left();
  second.left();
  second.left();
  expect([counter.waiting, counter.running]).toEqual([0, 0]);
});

test('refuses when too many wait, with a hint that grows with the queue', () => {
  const counter = new RequestCounter(40, 2);
  const short = new RequestCounter(1, 2);
  short.enter();
  for (let count = 0; count < 40; count += 1) counter.enter();
  expect(() => short.enter()).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 1 }));
  expect(() => counter.enter()).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 21 }),
  );
});

test('those being served do not count against the queue', () => {
  const counter = new RequestCounter(1, 4);
  for (let count = 0; count < 5; count += 1) counter.enter().started();
  expect(() => counter.enter()).not.toThrow();
});
