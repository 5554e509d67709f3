import { fileURLToPath } from 'node:url';
import { errorSchema as messagesError } from '@hearth/protocol-types/messages/error';
import { errorSchema as runnerError } from '@hearth/protocol-types/runner/error';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogueOf, testModel } from '../../test/create-test-app.js';
import { fuzzedRequests, sendAndJudge } from '../../test/judge-fuzz.js';
import { serveScript } from '../../test/served-app.js';
import { messagesBodies, runnerBodies } from '../../test/sound-bodies.js';
import type { TestServer } from '../../test/test-server.js';

jest.setTimeout(120_000);

const ggufPath = fileURLToPath(new URL('../../../../models/ember/ember.gguf', import.meta.url));
let server: TestServer;
beforeAll(async () => {
  const vectors = {
    embed: async ({ inputs }: { inputs: readonly unknown[] }) => ({
      vectors: inputs.map(() => [1, 0]),
      promptTokens: 1,
      loadDurationMs: 0,
      totalMs: 1,
    }),
    countTokens: async () => 1,
  };
  server = await serveScript(undefined, vectors, { catalogue: catalogueOf({ ...testModel, ggufPath }) });
});
afterAll(() => server.close());

const families = [
  { name: 'runner', bodies: runnerBodies, errorShape: runnerError },
  { name: 'messages', bodies: messagesBodies, errorShape: messagesError },
];

test.each(families)(
  'the bodies that the $name family is fuzzed with are sound',
  async ({ bodies, errorShape }) => {
    for (const [path, body] of Object.entries(bodies)) {
      const request = { path, body: JSON.stringify(body) };
      expect([path, await sendAndJudge(server.url, request, errorShape)]).toEqual([path, 200]);
    }
  },
);

test.each(families)(
  'no body on any endpoint of the $name family brings a fault, a hang or an error of another shape',
  async ({ bodies, errorShape }) => {
    const seen = new Set<number>();
    const property = fc.asyncProperty(fuzzedRequests(bodies), async (request) => {
      seen.add(await sendAndJudge(server.url, request, errorShape));
    });
    await fc.assert(property, { seed: 20_261_115, numRuns: 1500, interruptAfterTimeLimit: 6_000 });
    expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  },
);
