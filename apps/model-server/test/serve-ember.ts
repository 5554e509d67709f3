import { afterAll, jest } from '@jest/globals';
import { openEmberApp } from './ember-app.js';
import { serveApp } from './served-app.js';

/** The whole app over the bundled model, on a port of its own, and a client in front of it; gone after the test file. */
export async function serveEmber<Client>(connect: (url: string) => Client) {
  jest.setTimeout(120_000);
  const { app, engine } = openEmberApp();
  const { url, close } = await serveApp(app);
  afterAll(async () => {
    await close();
    await engine.close();
  });
  return { client: connect(url), url, engine };
}
