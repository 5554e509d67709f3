import { expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp } from '../../../../test/create-test-app.js';
import { scriptedGenerator } from '../../../../test/scripted-generator.js';
import type { EmbedRequest } from '../../../generation/text-generator.js';

function embed(fields: object) {
  const seen: EmbedRequest[] = [];
  const generator = scriptedGenerator([], {
    embed: async (wanted) => {
      seen.push(wanted);
      const vectors = wanted.inputs.map((_, index) => [index, 0.5]);
      return { vectors, promptTokens: 4, loadDurationMs: 0, totalMs: 1 };
    },
  });
  const { app } = createTestApp({ generator });
  return {
    seen,
    reply: request(app)
      .post('/v1/embeddings')
      .send({ model: 'ember', ...fields }),
  };
}

test('numbers come unless base64 is asked for', async () => {
  const { reply, seen } = embed({ input: ['a', 'b'], dimensions: 2 });
  expect((await reply.expect(200)).body).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [0, 0.5] },
      { object: 'embedding', index: 1, embedding: [1, 0.5] },
    ],
    model: 'ember',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  expect(seen).toEqual([
    { model: 'ember', inputs: ['a', 'b'], overflow: 'error', normalize: true, dimensions: 2 },
  ]);
});

test('base64 is little-endian 32-bit floats', async () => {
  const { body } = await embed({ input: 'a', encoding_format: 'base64' }).reply.expect(200);
  expect(body.data[0].embedding).toBe(Buffer.from(new Float32Array([0, 0.5]).buffer).toString('base64'));
});

test.each([
  ['a', ['a']],
  [[1, 2], [[1, 2]]],
  [
    [[1], [2]],
    [[1], [2]],
  ],
])('input %j is %j', async (input, inputs) => {
  const { reply, seen } = embed({ input });
  await reply.expect(200);
  expect(seen[0]?.inputs).toEqual(inputs);
});

test.each([
  [{}, 'input'],
  [{ input: [] }, 'input'],
  [{ input: '' }, 'input'],
  [{ input: ['a', ''] }, 'input.1'],
  [{ input: 'a', encoding_format: 'hex' }, 'encoding_format'],
  [{ input: 'a', dimensions: 0 }, 'dimensions'],
])('%j is a 400 that names the field', async (fields, param) => {
  const { body } = await embed(fields).reply.expect(400);
  expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
});

test('an unknown model is a 404', async () => {
  const { body } = await embed({ input: 'a', model: 'nobody' }).reply.expect(404);
  expect(body.error).toMatchObject({ type: 'not_found_error', code: 'model_not_found', param: 'model' });
});
