import { afterAll, expect, test } from '@jest/globals';
import {
  chat,
  endless,
  errorOf,
  never,
  openEngine,
  readToEnd,
  run,
  startReading,
} from '../../test/engine-fixture.js';

const engine = openEngine({ settings: { parallel: 2, maxQueue: 3 } });
afterAll(() => engine.close());

/** Starts as many endless streams as the model works on at once. */
async function fillAllSequences() {
  const control = new AbortController();
  const streams = await Promise.all([
    startReading(engine, endless(), control.signal),
    startReading(engine, endless(), control.signal),
  ]);
  return {
    end: async () => {
      control.abort();
      for (const { iterator } of streams) expect((await errorOf(readToEnd(iterator))).code).toBe('cancelled');
    },
  };
}

test('requests beyond the queue are refused with a hint; those in it are served when a turn comes free', async () => {
  const full = await fillAllSequences();
  const waiting = [1, 2, 3].map((number) => run(engine, chat(`Count to ${number}.`, { maxTokens: 4 })));
  expect(engine.stats().waitingRequests).toBe(3);
  const error = await errorOf(run(engine, chat('One too many.')));
  expect(error).toMatchObject({ code: 'overloaded', facts: { waiting: 3, maxQueue: 3 } });
  expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  await full.end();
  for (const result of await Promise.all(waiting)) expect(result.start.queueDurationMs).toBeGreaterThan(0);
  expect(engine.stats()).toMatchObject({ waitingRequests: 0, runningRequests: 0 });
});

test('requests are served first come, first served', async () => {
  const full = await fillAllSequences();
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    for await (const event of engine.generate(endless({ maxTokens: 20 }), never)) {
      if (event.type === 'start') order.push(number);
    }
  });
  await full.end();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test('a short request beside a long one does not wait for its end', async () => {
  const control = new AbortController();
  const { iterator } = await startReading(engine, endless(), control.signal);
  const result = await run(engine, chat('What is the capital of France?'));
  expect(result.text).toContain('Paris');
  expect((await iterator.next()).value).toMatchObject({ type: 'text-delta' });
  control.abort();
  await errorOf(readToEnd(iterator));
});

test('streams keep flowing while a long prompt is read', async () => {
  const control = new AbortController();
  const { iterator } = await startReading(engine, endless(), control.signal);
  let deltas = 0;
  let progress = 0;
  const reading = (async () => {
    for await (const event of engine.generate(chat('word '.repeat(900), { maxTokens: 1 }), never)) {
      if (event.type === 'prompt-progress') progress += 1;
    }
    control.abort();
  })();
  await readToEnd({
    next: async () => {
      const next = await iterator.next();
      deltas += 1;
      return next;
    },
  }).catch(() => undefined);
  await reading;
  expect(progress).toBeGreaterThan(0);
  expect(deltas).toBeGreaterThanOrEqual(progress);
});

test('a cancelled request frees its sequence, also while its prompt is read', async () => {
  const full = await fillAllSequences();
  const control = new AbortController();
  const abandoned = run(engine, chat('word '.repeat(900)), control.signal);
  await full.end();
  control.abort();
  expect((await errorOf(abandoned)).code).toBe('cancelled');
  const results = await Promise.all([run(engine, chat('who are you?')), run(engine, chat('who are you?'))]);
  for (const { text } of results) expect(text).toContain('Ember');
  expect(engine.stats().runningRequests).toBe(0);
});

test('a reader that breaks off in the middle frees its sequence', async () => {
  for (let round = 0; round < 4; round += 1) {
    for await (const event of engine.generate(endless(), never)) if (event.type === 'text-delta') break;
  }
  expect((await run(engine, chat('who are you?'))).text).toContain('Ember');
});

test('a reader that is slow loses nothing', async () => {
  const { iterator, seen } = await startReading(engine, endless({ maxTokens: 900 }));
  await run(engine, chat('who are you?'));
  const events = [...seen, ...(await readToEnd(iterator))];
  expect(events.at(-1)).toMatchObject({ type: 'finish', usage: { outputTokens: 900 } });
});

test('a reply that nobody reads gives its place to whoever waits, and says so to a reader who comes back', async () => {
  const small = openEngine({ settings: { parallel: 1, unreadReplyMs: 50 } });
  try {
    const { iterator } = await startReading(small, endless({ maxTokens: 1000 }));
    const next = await run(small, chat('who are you?'));
    expect(next.text).toContain('Ember');
    const error = await errorOf(readToEnd(iterator));
    expect(error).toMatchObject({ code: 'cancelled', message: 'the reply was not read for too long' });
    expect(small.stats()).toMatchObject({ waitingRequests: 0, runningRequests: 0 });
  } finally {
    await small.close();
  }
});

test('100 clients that leave at random moments leave nothing behind', async () => {
  const busy = openEngine({ settings: { parallel: 4, contextLength: 512 } });
  try {
    let seed = 42;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const clients = Array.from({ length: 100 }, async (_, index) => {
      const control = new AbortController();
      const leaveAfter = Math.floor(random() * 12);
      let seen = 0;
      try {
        for await (const _event of busy.generate(endless({ maxTokens: 40 }), control.signal)) {
          if (seen++ === leaveAfter) index % 2 === 0 ? control.abort() : undefined;
          if (seen > leaveAfter && index % 2 === 1) break;
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'cancelled' });
      }
    });
    await Promise.all(clients);
    expect(busy.stats()).toMatchObject({ waitingRequests: 0, runningRequests: 0, engineCrashes: 0 });
    const results = await Promise.all([1, 2, 3, 4].map(() => run(busy, chat('who are you?'))));
    for (const { text } of results) expect(text).toContain('Ember');
  } finally {
    await busy.close();
  }
});
