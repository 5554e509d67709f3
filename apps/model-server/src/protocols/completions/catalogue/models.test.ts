import { afterEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { catalogueOf, createTestApp, testModel } from '../../../../test/create-test-app.js';
import { openTestLibrary } from '../../../../test/open-test-library.js';
import { scriptedGenerator } from '../../../../test/scripted-generator.js';
import { temporaryFolders } from '../../../../test/temporary-folder.js';
import type { ModelLibrary } from '../../../models/model-library.js';

const hub = { ...testModel, name: 'hf.co/maker/model:Q4' };
const { app } = createTestApp({
  catalogue: catalogueOf(testModel, hub),
  generator: scriptedGenerator([], {
    listLoaded: () => [
      {
        model: 'ember:latest',
        sizeBytes: 1,
        sizeVramBytes: 0,
        contextLength: 2048,
        expiresAt: undefined,
        busy: false,
      },
    ],
  }),
});

test('the list says which models are loaded', async () => {
  const { body } = await request(app).get('/v1/models').expect(200);
  expect(body.data).toEqual([
    expect.objectContaining({ id: 'ember:latest', loaded: true, owned_by: 'local' }),
    expect.objectContaining({ id: 'hf.co/maker/model:Q4', loaded: false, owned_by: 'local' }),
  ]);
});

test.each(['/v1/models/ember', '/v1/models/ember:latest', '/v1/models/ember%3Alatest'])(
  '%s finds the model',
  async (path) => {
    const { body } = await request(app).get(path).expect(200);
    expect(body).toMatchObject({ id: 'ember:latest', object: 'model' });
  },
);

test.each(['/v1/models/hf.co%2Fmaker%2Fmodel:Q4', '/v1/models/hf.co/maker/model:Q4'])(
  '%s finds a name with slashes',
  async (path) => {
    const { body } = await request(app).get(path).expect(200);
    expect(body.id).toBe('hf.co/maker/model:Q4');
  },
);

test('an unknown model is a 404, a broken escape a 400, another method a 405', async () => {
  const missing = await request(app).get('/v1/models/nobody').expect(404);
  expect(missing.body.error).toMatchObject({ type: 'not_found_error', code: 'model_not_found' });
  const broken = await request(app).get('/v1/models/%E0%A4%A').expect(400);
  expect(broken.body.error.type).toBe('invalid_request_error');
  await request(app).put('/v1/models/ember').expect(405);
});

const newFolder = temporaryFolders();
let open: ModelLibrary | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

test('a model is deleted and leaves the memory', async () => {
  open = openTestLibrary(await newFolder());
  const unloaded: string[] = [];
  const generator = scriptedGenerator([], {
    unload: async (name) => {
      unloaded.push(name);
      return true;
    },
  });
  const managed = createTestApp({ library: open, catalogue: open.catalogue, generator }).app;
  await request(managed)
    .delete('/v1/models/ember')
    .expect(200, { id: 'ember:latest', object: 'model', deleted: true });
  expect(unloaded).toEqual(['ember:latest']);
  await request(managed).delete('/v1/models/ember').expect(404);
});

test('deleting needs the right to manage models, and a server that manages any', async () => {
  open = openTestLibrary(await newFolder());
  const verifier = { verify: async () => ({ id: 'guest', scopes: new Set(['models:use']) }) };
  const guarded = createTestApp({ library: open, catalogue: open.catalogue, verifier }).app;
  await request(guarded).delete('/v1/models/ember').set('authorization', 'Bearer guest').expect(403);
  await request(app).delete('/v1/models/ember').expect(405);
});
