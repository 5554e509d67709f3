import { expect, test } from '@jest/globals';
import request from 'supertest';
import { catalogueOf, createTestApp, testModel } from '../../../../test/create-test-app.js';
import { scriptedGenerator } from '../../../../test/scripted-generator.js';

const ranker = { ...testModel, name: 'ranker:latest', capabilities: ['rerank'] as const };
const { app } = createTestApp({
  catalogue: catalogueOf(testModel, ranker),
  generator: scriptedGenerator([], {
    rerank: async ({ documents }) => ({ scores: documents.map((text) => text.length), promptTokens: 9 }),
  }),
});
const body = { model: 'ranker', query: 'q', documents: ['a', 'bbb', { text: 'cc' }] };

test.each(['/v1/rerank', '/v1/reranking', '/rerank', '/reranking'])('%s ranks, best first', async (path) => {
  const response = await request(app).post(path).send(body).expect(200);
  expect(response.body).toEqual({
    model: 'ranker',
    object: 'list',
    usage: { prompt_tokens: 9, total_tokens: 9 },
    results: [
      { index: 1, relevance_score: 3 },
      { index: 2, relevance_score: 2 },
      { index: 0, relevance_score: 1 },
    ],
  });
});

test('top_n cuts the list, and the documents come along when asked for', async () => {
  const wanted = { model: 'ranker', query: 'q', texts: ['a', 'bbb'], top_n: 1, return_text: true };
  const response = await request(app).post('/v1/rerank').send(wanted).expect(200);
  expect(response.body.results).toEqual([{ index: 1, relevance_score: 3, document: { text: 'bbb' } }]);
});

test.each([
  ['a model that does not rank', { ...body, model: 'ember' }, 'model'],
  ['no documents', { model: 'ranker', query: 'q' }, 'documents'],
  ['an empty list', { ...body, documents: [] }, 'documents'],
  ['no query', { model: 'ranker', documents: ['a'] }, 'query'],
])('%s is a 400 in the family shape, also on an alias', async (_, wanted, param) => {
  for (const path of ['/v1/rerank', '/rerank']) {
    const response = await request(app).post(path).send(wanted).expect(400);
    expect(response.body.error).toMatchObject({ type: 'invalid_request_error', param });
  }
});
