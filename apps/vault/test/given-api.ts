import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type ApiUser, startTestApi, type TestApi } from './api.js';

/** The vault of a test file, from its first test on. */
export let api: TestApi;
/** Each test has an account of its own. */
export let ada: ApiUser;

/** Starts a vault for the tests of a file, and ends it after them. */
export function givenApi(env: NodeJS.ProcessEnv = {}): void {
  beforeAll(async () => {
    api = await startTestApi(env);
  }, 60_000);
  afterAll(() => api.close());
  beforeEach(async () => {
    ada = await api.user();
  });
}
