import { singleKeyVerifier } from '@hearth/auth-middleware/single-key-verifier';
import { expect, test } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { createTestApp } from '../../../test/create-test-app.js';
import { scriptedGenerator } from '../../../test/scripted-generator.js';

async function read(app: Express): Promise<string> {
  return (await request(app).get('/metrics').expect(200)).text;
}

test('requests, tokens, cache hits and speeds of every family are counted under one name a model', async () => {
  const { app } = createTestApp();
  const messages = [{ role: 'user', content: 'Hi' }];
  await request(app).post('/api/chat').send({ model: 'ember', messages }).expect(200);
  await request(app).post('/v1/chat/completions').send({ model: 'EMBER:latest', messages }).expect(200);
  await request(app).post('/alt/v1/messages').send({ model: 'Ember', messages }).expect(200);
  await request(app).post('/v1/messages').send({ model: 'nope', messages }).expect(404);
  await request(app).get('/api/whatever/this/is').expect(404);
  const text = await read(app);
  expect(text).toContain('hearth_http_requests_total{method="POST",route="/api/chat",status="200"} 1');
  expect(text).toContain('hearth_http_requests_total{method="POST",route="/alt/v1/messages",status="404"} 1');
  expect(text).toContain('hearth_http_requests_total{method="GET",route="none",status="404"} 1');
  expect(text).toContain('hearth_prompt_tokens_total{model="ember:latest"} 21');
  expect(text).toContain('hearth_cached_prompt_tokens_total{model="ember:latest"} 9');
  expect(text).toContain('hearth_output_tokens_total{model="ember:latest"} 6');
  expect(text).toContain('hearth_time_to_first_token_seconds_count{model="ember:latest"} 3');
  expect(text).toContain('hearth_output_tokens_per_second_sum{model="ember:latest"} 300');
  expect(text).not.toContain('whatever');
});

test('the engine says how it is when it is asked', async () => {
  let engineCrashes = 1;
  const engineFigures = () => ({ waitingRequests: 3, runningRequests: 2, loadedModels: 1, engineCrashes });
  const { app } = createTestApp({ engineFigures });
  const first = await read(app);
  expect(first).toContain('hearth_queue_depth 3');
  expect(first).toContain('hearth_running_requests 2');
  expect(first).toContain('hearth_loaded_models 1');
  expect(first).toContain('hearth_engine_restarts_total 1');
  engineCrashes = 2;
  expect(await read(app)).toContain('hearth_engine_restarts_total 2');
});

test('embeddings count their tokens', async () => {
  const generator = scriptedGenerator([], {
    embed: async () => ({ vectors: [[1]], promptTokens: 5, loadDurationMs: 0, totalMs: 1 }),
  });
  const { app } = createTestApp({ generator });
  await request(app).post('/api/embed').send({ model: 'ember', input: 'a' }).expect(200);
  expect(await read(app)).toContain('hearth_prompt_tokens_total{model="ember:latest"} 5');
});

test('with a key in force, the figures want it too', async () => {
  const { app } = createTestApp({ verifier: singleKeyVerifier('sesame') });
  await request(app).get('/metrics').expect(401);
  const open = await request(app).get('/metrics').set('authorization', 'Bearer sesame').expect(200);
  expect(open.headers['content-type']).toContain('text/plain; version=0.0.4');
});
