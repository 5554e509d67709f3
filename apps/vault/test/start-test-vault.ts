import type { RequestListener } from 'node:http';
import { listen } from '@hearth/service-kit/listen';
import { createLogger } from '@hearth/service-kit/logger';
import { startStandIn } from '../src/sign-in/start-stand-in.js';
import { createTestApp, type TestApp } from './create-test-app.js';
import { type Reply, TestBrowser } from './test-browser.js';

export interface TestVault extends TestApp {
  readonly url: string;
  readonly standInUrl: string;
}

/** The whole vault on a port of its own, with the stand-in providers in a process of theirs. */
export async function startTestVault(
  env: NodeJS.ProcessEnv = {},
  options: { publicUrlFor?: (url: string) => Promise<string> } = {},
): Promise<TestVault> {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  const { server, url } = await listen((request, response) => handler(request, response), {
    host: '127.0.0.1',
    port: 0,
  });
  const publicUrl = (await options.publicUrlFor?.(url)) ?? url;
  const standIn = await startStandIn({
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
    program: new URL('../dist/stand-in/main.js', import.meta.url),
  });
  const testApp = await createTestApp(
    { PUBLIC_URL: publicUrl, HEARTH_VAULT_RATE_LIMITS: 'false', ...env },
    { providers: standIn.providers },
  );
  handler = testApp.app;
  return {
    ...testApp,
    url,
    standInUrl: standIn.url,
    async close() {
      server.close();
      server.closeAllConnections();
      await standIn.stop();
      await testApp.close();
    },
  };
}

/** Goes to the provider, chooses a person there, and returns the reply of the callback. */
export async function signInAs(
  browser: TestBrowser,
  vault: Pick<TestVault, 'url'>,
  login: string,
  options: { provider?: 'github' | 'google'; path?: string } = {},
): Promise<Reply> {
  const path = options.path ?? `/auth/${options.provider ?? 'github'}`;
  const start = await browser.request(`${vault.url}${path}`);
  return browser.request(await chooseAtProvider(browser, start, { login }));
}

/** Fills in the consent page that a reply leads to; returns the address of the callback. */
export async function chooseAtProvider(
  browser: TestBrowser,
  start: Reply,
  choice: Readonly<Record<string, string>>,
): Promise<string> {
  if (!start.location)
    throw new Error(`expected a redirect to the provider, got ${start.status} ${start.text}`);
  const page = await browser.request(start.location);
  if (page.status !== 200) throw new Error(`the provider refused: ${page.text}`);
  const form = new URLSearchParams(choice);
  const inputs = page.text.split('</form>')[0] ?? '';
  for (const [, name, value] of inputs.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    form.set(String(name), unescapeHtml(String(value)));
  }
  const { origin, pathname } = new URL(start.location);
  const back = await browser.request(`${origin}${pathname}`, { method: 'POST', body: form });
  if (!back.location) throw new Error(`the provider did not send back: ${back.status} ${back.text}`);
  return back.location;
}

/** A browser that is signed in. */
export async function signedInBrowser(vault: Pick<TestVault, 'url'>, login = 'ada'): Promise<TestBrowser> {
  const browser = new TestBrowser();
  const reply = await signInAs(browser, vault, login);
  if (reply.location !== `${vault.url}/`) throw new Error(`sign-in failed: ${reply.location ?? reply.text}`);
  return browser;
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
