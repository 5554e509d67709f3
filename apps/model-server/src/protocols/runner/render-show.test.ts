import { fileURLToPath } from 'node:url';
import { showResponseSchema } from '@hearth/protocol-types/runner/show-response';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { catalogueOf, createTestApp, testModel } from '../../../test/create-test-app.js';

const bundled = {
  ...testModel,
  ggufPath: fileURLToPath(new URL('../../../../../models/ember/ember.gguf', import.meta.url)),
  system: 'Be kind.',
  parameters: { stop: ['<a>', '<b>'], temperature: 0.5 },
  licenses: ['MIT'],
  messages: [{ role: 'user', content: 'Hi' }],
};
const { app } = createTestApp({ catalogue: catalogueOf(bundled) });

test('POST /api/show tells all about a model, without a path of this machine', async () => {
  const { body } = await request(app).post('/api/show').send({ model: 'ember' }).expect(200);
  expect(showResponseSchema.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    license: 'MIT',
    system: 'Be kind.',
    details: { family: 'llama', quantization_level: 'Q8_0' },
    capabilities: ['completion', 'tools', 'thinking'],
    modified_at: '2026-11-01T12:00:00.000Z',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  expect(body.parameters).toBe(
    ['stop'.padEnd(30), 'stop'.padEnd(30), 'temperature'.padEnd(30)]
      .map((name, index) => `${name} ${['"<a>"', '"<b>"', '0.5'][index]}`)
      .join('\n'),
  );
  expect(body.model_info).toMatchObject({
    'general.architecture': 'llama',
    'llama.context_length': 2048,
    'tokenizer.ggml.tokens': [],
    'general.parameter_count': expect.any(Number),
  });
  expect(body.modelfile).toContain('FROM ember:latest\nTEMPLATE """');
  expect(body.modelfile).toContain('PARAMETER stop "<a>"\nPARAMETER stop "<b>"\nPARAMETER temperature 0.5\n');
  expect(body).not.toHaveProperty('tensors');
  expect(JSON.stringify(body)).not.toContain(bundled.ggufPath);
});

test('verbose keeps the long lists and the tensors', async () => {
  const { body } = await request(app).post('/api/show').send({ name: 'ember', verbose: true }).expect(200);
  expect(body.model_info['tokenizer.ggml.tokens']).toHaveLength(4096);
  expect(body.tensors[0]).toEqual({
    name: expect.any(String),
    type: expect.any(String),
    shape: expect.any(Array),
  });
});

test('the request may put its own system and options in', async () => {
  const { body } = await request(app)
    .post('/api/show')
    .send({ model: 'ember', system: 'Be rude.', options: { temperature: 2 } })
    .expect(200);
  expect(body.system).toBe('Be rude.');
  expect(body.parameters).toContain('2');
});

test('no name is a 400, an unknown one a 404', async () => {
  expect((await request(app).post('/api/show').send({}).expect(400)).body).toEqual({
    error: 'model is required',
  });
  expect((await request(app).post('/api/show').send({ model: 'x' }).expect(404)).body).toEqual({
    error: "model 'x' not found",
  });
});
