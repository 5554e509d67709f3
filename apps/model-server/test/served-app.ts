import type { Express } from 'express';
import { createTestApp } from './create-test-app.js';
import {
  finishEvent,
  type ScriptedGenerator,
  type ScriptStep,
  scriptedGenerator,
  startEvent,
  textEvents,
} from './scripted-generator.js';
import { startTestServer, type TestServer } from './test-server.js';

export const hello: readonly ScriptStep[] = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];

export async function serveApp(app: Express): Promise<TestServer> {
  return await startTestServer((request, response) => app(request, response));
}

/** The whole app on a port of its own, saying what the test wrote down. */
export async function serveScript(
  script: Parameters<typeof scriptedGenerator>[0] = hello,
  overrides: Parameters<typeof scriptedGenerator>[1] = {},
  parts: Parameters<typeof createTestApp>[0] = {},
): Promise<TestServer & { readonly generator: ScriptedGenerator }> {
  const generator = scriptedGenerator(script, overrides);
  return { ...(await serveApp(createTestApp({ generator, ...parts }).app)), generator };
}
