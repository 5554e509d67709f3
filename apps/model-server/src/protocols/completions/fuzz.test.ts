import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { requests, sendAndJudge, soundBodies } from '../../../test/completions-fuzz.js';
import { createTestApp } from '../../../test/create-test-app.js';
import { finishEvent, scriptedGenerator, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { startTestServer, type TestServer } from '../../../test/test-server.js';

jest.setTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  const { app } = createTestApp({
    generator: scriptedGenerator([startEvent, ...textEvents('A'), finishEvent], {
      embed: async ({ inputs }) => ({
        vectors: inputs.map(() => [1, 0]),
        promptTokens: 1,
        loadDurationMs: 0,
        totalMs: 1,
      }),
      rerank: async ({ documents }) => ({ scores: documents.map(() => 1), promptTokens: 1 }),
      countTokens: async () => 1,
      detokenize: async () => 'x',
    }),
  });
  server = await startTestServer((request, response) => app(request, response));
});
afterAll(() => server.close());

test.each(Object.entries(soundBodies))('the body that %s is fuzzed with is sound', async (path, body) => {
  const status = await sendAndJudge(server.url, { path, body: JSON.stringify(body) });
  // The model of these tests ranks nothing, and says so.
  expect(status).toBe(path === '/v1/rerank' ? 400 : 200);
});

test('no body on any endpoint brings a fault, a hang or an error of another shape', async () => {
  const seen = new Set<number>();
  const property = fc.asyncProperty(requests, async (request) => {
    seen.add(await sendAndJudge(server.url, request));
  });
  await fc.assert(property, { seed: 20_261_115, numRuns: 3000, interruptAfterTimeLimit: 10_000 });
  expect([...seen].sort()).toEqual([200, 400, 404]);
});
