import { afterAll, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { openEmberApp } from '../../test/ember-app.js';

jest.setTimeout(120_000);

const { app, engine } = openEmberApp();
afterAll(() => engine.close());

const model = 'ember';
const messages = [{ role: 'user', content: 'Tell me a story.' }];

async function post(path: string, body: object): Promise<unknown> {
  return (await request(app).post(path).send(body).expect(200)).body;
}

test.each([1, 42, 2 ** 40])(
  'all families give the same text for the same question and seed %p',
  async (seed) => {
    const limit = 60;
    const runner = (await post('/api/chat', {
      model,
      messages,
      stream: false,
      options: { seed, num_predict: limit },
    })) as { message: { content: string } };
    const completions = (await post('/v1/chat/completions', {
      model,
      messages,
      seed,
      max_tokens: limit,
    })) as {
      choices: { message: { content: string } }[];
    };
    const alt = (await post('/alt/v1/messages', { model, messages, seed, max_tokens: limit })) as {
      content: { text: string }[];
    };
    const text = runner.message.content;
    expect(text.length).toBeGreaterThan(20);
    expect(completions.choices[0]?.message.content).toBe(text);
    expect(alt.content[0]?.text).toBe(text);
  },
);
