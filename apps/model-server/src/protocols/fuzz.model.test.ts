import { errorSchema as messagesError } from '@hearth/protocol-types/messages/error';
import { errorSchema as runnerError } from '@hearth/protocol-types/runner/error';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { openEmberApp } from '../../test/ember-app.js';
import { fuzzedRequests, sendAndJudge } from '../../test/judge-fuzz.js';
import { serveApp } from '../../test/served-app.js';
import { messagesBodies, runnerBodies } from '../../test/sound-bodies.js';
import type { TestServer } from '../../test/test-server.js';

jest.setTimeout(180_000);

const { app, engine } = openEmberApp();
let server: TestServer;
beforeAll(async () => {
  server = await serveApp(app);
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

test.each([
  { name: 'runner', bodies: runnerBodies, errorShape: runnerError },
  { name: 'messages', bodies: messagesBodies, errorShape: messagesError },
])('no body of the $name family brings the engine down or to a fault', async ({ bodies, errorShape }) => {
  const property = fc.asyncProperty(fuzzedRequests(bodies), async (request) => {
    await sendAndJudge(server.url, request, errorShape);
  });
  await fc.assert(property, { seed: 20_261_115, numRuns: 200, interruptAfterTimeLimit: 6_000 });
  expect(engine.stats().engineCrashes).toBe(0);
});
