import { errorSchema } from '@hearth/protocol-types/completions/error';
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
  // Several at a time, as clients do, and because it is faster.
  const batches = fc.array(requests, { minLength: 16, maxLength: 16 });
  const property = fc.asyncProperty(batches, async (batch) => {
    const statuses = await Promise.all(batch.map((request) => sendAndJudge(server.url, request)));
    for (const status of statuses) seen.add(status);
  });
  await fc.assert(property, { seed: 20_261_115, numRuns: 200, interruptAfterTimeLimit: 10_000 });
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 400]));
});

const pathPart = fc.oneof(
  fc.string({ maxLength: 30 }).map(toWellFormedEscape),
  fc.constantFrom(
    '%',
    '%E0%A4%A',
    '%00',
    '..%2f..%2fetc',
    'a/b/c/d/e',
    'ember',
    'ember:latest',
    '%2F',
    ':',
    '@',
  ),
);

test('no path below an endpoint brings a fault or an error of another shape', async () => {
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH');
  const roots = fc.constantFrom('/v1/models/', '/v1/responses/', '/v1/');
  const property = fc.asyncProperty(methods, roots, pathPart, async (method, root, part) => {
    const response = await fetch(`${server.url}${root}${part}`, {
      method,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    if (response.status !== 200) expect(errorSchema.safeParse(JSON.parse(text)).success).toBe(true);
  });
  await fc.assert(property, { seed: 20_261_115, numRuns: 500, interruptAfterTimeLimit: 5_000 });
});

/** As client libraries write a name into a path. */
function toWellFormedEscape(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
