import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type HttpsFront, startHttpsFront } from '../../test/https-front.js';
import { signInAs, startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { TestBrowser } from '../../test/test-browser.js';

let front: HttpsFront;
let vault: TestVault;

beforeAll(async () => {
  vault = await startTestVault(
    { TRUSTED_PROXIES: 'loopback' },
    {
      publicUrlFor: async (url) => {
        front = await startHttpsFront(url);
        return front.url;
      },
    },
  );
}, 60_000);

afterAll(async () => {
  front.close();
  await vault.close();
});

/** The attributes that make a cookie one that only this very host can set and only https carries. */
function expectHostCookie(line: string): void {
  const [pair, ...attributes] = line.split('; ');
  expect(pair).toMatch(/^__Host-hearth/);
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']));
  expect(line).not.toMatch(/domain=/i);
}

test.each(['github', 'google'] as const)(
  'a sign-in with %s behind https leads to a session',
  async (provider) => {
    const browser = new TestBrowser({ fetch: front.fetch });
    const start = await browser.request(`${front.url}/auth/${provider}`);
    start.headers.getSetCookie().forEach(expectHostCookie);
    expect(new URL(String(start.location)).searchParams.get('redirect_uri')).toBe(
      `${front.url}/auth/${provider}/callback`,
    );
    const back = await signInAs(browser, front, 'ada', { provider });
    expect(back.location).toBe(`${front.url}/`);
    expect(back.headers.getSetCookie().some((line) => line.startsWith('__Host-hearth='))).toBe(true);
    back.headers.getSetCookie().forEach(expectHostCookie);
    expect(back.headers.get('strict-transport-security')).toBe('max-age=63072000');

    const session = await browser.api(`${front.url}/api/session`);
    expect(session.status).toBe(200);
    const devices = JSON.parse((await browser.api(`${front.url}/api/sessions`)).text) as { ip: string }[];
    expect(devices.map(({ ip }) => ip)).toContain('203.0.113.7');
  },
);

test('a session behind https changes things from its own pages only, and ends', async () => {
  const browser = new TestBrowser({ fetch: front.fetch });
  await signInAs(browser, front, 'grace');
  const make = (headers: Readonly<Record<string, string>>) =>
    browser.request(`${front.url}/api/secrets/vaults`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Behind TLS' }),
      headers: { 'content-type': 'application/json', 'x-hearth-console': '1', ...headers },
    });
  expect((await make({ origin: front.url.replace('https:', 'http:') })).status).toBe(403);
  expect((await make({ origin: vault.url })).status).toBe(403);
  expect((await make({ origin: front.url })).status).toBe(201);
  const out = await browser.api(`${front.url}/api/session`, { method: 'DELETE' });
  expect(out.status).toBe(204);
  out.headers.getSetCookie().forEach(expectHostCookie);
  expect((await browser.api(`${front.url}/api/session`)).status).toBe(401);
});

test('a session cookie without the prefix, as another host could set it, is not looked at', async () => {
  const browser = new TestBrowser({ fetch: front.fetch });
  await signInAs(browser, front, 'ada');
  const { host } = new URL(front.url);
  const secret = String(browser.cookies(host).get('__Host-hearth'));
  const forged = new TestBrowser({ fetch: front.fetch });
  forged.setCookie(host, 'hearth', secret);
  expect((await forged.api(`${front.url}/api/secrets/vaults`)).status).toBe(401);
  expect((await browser.api(`${front.url}/api/secrets/vaults`)).status).toBe(200);
});
