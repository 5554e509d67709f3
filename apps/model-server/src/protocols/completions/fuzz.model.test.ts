import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { requests, sendAndJudge } from '../../../test/completions-fuzz.js';
import { openEmberApp } from '../../../test/ember-app.js';
import { startTestServer, type TestServer } from '../../../test/test-server.js';

jest.setTimeout(180_000);

const { app, engine } = openEmberApp();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer((request, response) => app(request, response));
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

test('no body brings the engine down or to a fault', async () => {
  const property = fc.asyncProperty(requests, async (request) => {
    await sendAndJudge(server.url, request);
  });
  await fc.assert(property, { seed: 20_261_115, numRuns: 400, interruptAfterTimeLimit: 10_000 });
  expect(engine.stats().engineCrashes).toBe(0);
});
