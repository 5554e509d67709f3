import { afterAll, expect, test } from '@jest/globals';
import {
  chat,
  endless,
  errorOf,
  openEngine,
  readToEnd,
  run,
  startReading,
} from '../../test/engine-fixture.js';
import type { GenerationRequest } from '../generation/generation-request.js';

const engine = openEngine({ settings: { parallel: 4 } });
afterAll(() => engine.close());

/** The same long beginning for all, another question for each. */
function ask(topic: string, question: string, more: Partial<GenerationRequest> = {}): GenerationRequest {
  const rules = Array.from({ length: 60 }, (_, index) => `${topic} rule ${index}: be kind.`).join('\n');
  return chat('', {
    ...more,
    prompt: {
      kind: 'chat',
      messages: [
        { role: 'system', content: rules },
        { role: 'user', content: question },
      ],
    },
  });
}

const long = 300;

test('a prefix that only a busy sequence holds is copied from it, and its own reply stays what it was', async () => {
  const story = ask('Story', 'Tell me a story.', { maxTokens: 120, sampling: endless().sampling });
  const alone = await run(engine, story);
  expect(alone.usage.promptTokens).toBeGreaterThan(long);
  await engine.unload('ember:latest');

  const { iterator, seen } = await startReading(engine, story);
  const beside = await run(engine, ask('Story', 'What is the capital of France?'));
  expect(beside.usage.cachedTokens).toBeGreaterThan(long);
  const events = [...seen, ...(await readToEnd(iterator))];
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  expect(text.slice(0, 40)).toBe(alone.text.slice(0, 40));
  await engine.unload('ember:latest');
  const anew = await run(engine, ask('Story', 'What is the capital of France?'));
  expect(anew.usage.cachedTokens).toBe(0);
  expect(beside.text).toBe(anew.text);
});

test('of requests with one long beginning that come at once, only one computes it', async () => {
  const questions = ['What is the capital of France?', 'What is the capital of Italy?', 'who are you?'];
  const results = await Promise.all(questions.map((question) => run(engine, ask('Crowd', question))));
  const computed = results.filter(({ usage }) => usage.cachedTokens < long);
  expect(computed).toHaveLength(1);
  expect(results[0]?.usage.promptTokens).toBeGreaterThan(long);
});

test('who waits for a prefix lets others pass, and goes on when the one that computes it leaves', async () => {
  const control = new AbortController();
  const first = run(engine, ask('Left', 'Tell me a story.'), control.signal);
  const second = run(engine, ask('Left', 'who are you?', { maxTokens: 8 }));
  const other = run(engine, chat('What is the capital of France?'));
  control.abort();
  expect((await errorOf(first)).code).toBe('cancelled');
  expect((await other).text).toContain('Paris');
  expect((await second).usage.outputTokens).toBeGreaterThan(0);
});
