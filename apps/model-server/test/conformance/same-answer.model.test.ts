import { afterAll, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { openEmberApp } from '../ember-app.js';

jest.setTimeout(120_000);

const { app, engine } = openEmberApp();
afterAll(() => engine.close());

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Tell me a story about a fox.' },
];

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  return (await request(app).post(path).send(body).expect(200)).body;
}

async function runner(seed: number): Promise<string> {
  const options = { seed, num_predict: 60 };
  const reply = await post('/api/chat', { model: 'ember', messages, stream: false, options });
  return (reply['message'] as { content: string }).content;
}

async function completions(seed: number): Promise<string> {
  const reply = await post('/v1/chat/completions', { model: 'ember', messages, seed, max_tokens: 60 });
  return (reply['choices'] as { message: { content: string } }[])[0]?.message.content ?? '';
}

async function messagesFamily(seed: number): Promise<string> {
  const [system, user] = messages;
  const body = { model: 'ember', system: system?.content, messages: [user], seed, max_tokens: 60 };
  const reply = await post('/alt/v1/messages', body);
  return (reply['content'] as { text: string }[]).map(({ text }) => text).join('');
}

test('the same question with the same seed gives the same text in all three families', async () => {
  for (const seed of [1, 42, 2 ** 40 + 7]) {
    const text = await runner(seed);
    expect(text.length).toBeGreaterThan(20);
    expect(await completions(seed)).toBe(text);
    expect(await messagesFamily(seed)).toBe(text);
  }
});

test('another seed gives another text, so the seed is what decides', async () => {
  const texts = new Set([await runner(1), await completions(2), await messagesFamily(3), await runner(4)]);
  expect(texts.size).toBeGreaterThan(1);
});
