import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  chooseAtProvider,
  signedInBrowser,
  signInAs,
  startTestVault,
  type TestVault,
} from '../../test/start-test-vault.js';
import { TestBrowser } from '../../test/test-browser.js';

let vault: TestVault;

beforeAll(async () => {
  vault = await startTestVault({ HEARTH_VAULT_PROVIDER_TIMEOUT_SECONDS: '1' });
}, 60_000);

afterAll(() => vault.close());

async function rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  return (await vault.database.pool.query(sql, values)).rows;
}

const sessionUser = async (browser: TestBrowser) =>
  JSON.parse((await browser.api(`${vault.url}/api/session`)).text).user;

describe('signing in', () => {
  test.each(['github', 'google'] as const)(
    'with %s makes an account with one personal vault, its environments and its data key',
    async (provider) => {
      const browser = new TestBrowser();
      const reply = await signInAs(browser, vault, `new-at-${provider}`, { provider });
      expect(reply.status).toBe(303);
      expect(reply.location).toBe(`${vault.url}/`);
      const user = await sessionUser(browser);
      expect(user.display_name).toBe(`new-at-${provider}`);
      const vaults = await rows(
        'select id, name, is_personal, is_encrypted from vaults where owner_id = $1',
        user.id,
      );
      expect(vaults).toEqual([
        { id: expect.any(String), name: 'Personal', is_personal: true, is_encrypted: true },
      ]);
      const inVault = (table: string) => `select * from ${table} where vault_id = $1`;
      expect(await rows(`${inVault('environments')} order by position`, vaults[0]?.['id'])).toMatchObject([
        { slug: 'dev' },
        { slug: 'staging' },
        { slug: 'prod' },
      ]);
      expect(await rows(inVault('vault_keys'), vaults[0]?.['id'])).toMatchObject([{ state: 'active' }]);
      const actions = await rows('select action from audit_events where user_id = $1 order by id', user.id);
      expect(actions.map(({ action }) => action)).toEqual(['account.create', 'auth.login']);
    },
  );

  test('a second time opens the same account', async () => {
    const first = await sessionUser(await signedInBrowser(vault, 'grace'));
    const second = await sessionUser(await signedInBrowser(vault, 'grace'));
    expect(second.id).toBe(first.id);
  });

  test('twenty times at once for the first time makes one account and one vault', async () => {
    const browsers = Array.from({ length: 20 }, () => new TestBrowser());
    const replies = await Promise.all(browsers.map((browser) => signInAs(browser, vault, 'crowd')));
    expect(replies.map(({ location }) => location)).toEqual(replies.map(() => `${vault.url}/`));
    const ids = new Set((await Promise.all(browsers.map(sessionUser))).map(({ id }) => id));
    expect(ids.size).toBe(1);
    const found = await rows('select count(*)::int as vaults from vaults where owner_id = $1', [...ids][0]);
    expect(found).toEqual([{ vaults: 1 }]);
  }, 60_000);

  test('as the same name at two providers makes two accounts: e-mail and name link nothing', async () => {
    const github = new TestBrowser();
    const google = new TestBrowser();
    await signInAs(github, vault, 'alan', { provider: 'github' });
    await signInAs(google, vault, 'alan', { provider: 'google' });
    expect((await sessionUser(github)).id).not.toBe((await sessionUser(google)).id);
  });

  test('leads back to the page it began on', async () => {
    const reply = await signInAs(new TestBrowser(), vault, 'ada', {
      path: '/auth/github?return_to=%2Fsecrets%2Ftokens%3Fnew%3D1',
    });
    expect(reply.location).toBe(`${vault.url}/secrets/tokens?new=1`);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/auth/github',
    '/./\\/evil.example',
  ])('never leads to %s', async (target) => {
    const reply = await signInAs(new TestBrowser(), vault, 'ada', {
      path: `/auth/github?return_to=${encodeURIComponent(target)}`,
    });
    expect(reply.location).toBe(`${vault.url}/`);
  });

  test('works in two tabs of one browser at once', async () => {
    const browser = new TestBrowser();
    const one = await browser.request(`${vault.url}/auth/github`);
    const two = await browser.request(`${vault.url}/auth/github`);
    const backOne = await chooseAtProvider(browser, one, { login: 'ada' });
    const backTwo = await chooseAtProvider(browser, two, { login: 'ada' });
    expect((await browser.request(backOne)).location).toBe(`${vault.url}/`);
    expect((await browser.request(backTwo)).location).toBe(`${vault.url}/`);
  });

  test('gives a new session each time and ends the one before', async () => {
    const { host } = new URL(vault.url);
    const browser = await signedInBrowser(vault, 'ada');
    const before = browser.cookies(host).get('hearth') ?? '';
    await signInAs(browser, vault, 'ada');
    expect(browser.cookies(host).get('hearth')).not.toBe(before);
    const thief = new TestBrowser();
    thief.setCookie(host, 'hearth', before);
    expect((await thief.api(`${vault.url}/api/session`)).status).toBe(401);
  });

  test('under another name of this machine goes on under the public one', async () => {
    const { port } = new URL(vault.url);
    const reply = await new TestBrowser().request(`http://localhost:${port}/auth/github?return_to=/x`);
    expect(reply.location).toBe(`${vault.url}/auth/github?return_to=/x`);
  });
});

describe('a sign-in that goes wrong', () => {
  const problemOf = (location: string | undefined) => new URL(String(location)).searchParams.get('e');

  test('by cancelling leads to the sign-in page without repeating what the provider said', async () => {
    const browser = new TestBrowser();
    const start = await browser.request(`${vault.url}/auth/github`);
    const back = await chooseAtProvider(browser, start, { cancel: '1' });
    expect(back).toContain('error_description');
    expect((await browser.request(back)).location).toBe(`${vault.url}/signin?e=cancelled`);
  });

  test.each([
    ['trouble-slow', 'provider-timeout'],
    ['trouble-error', 'provider'],
    ['trouble-huge', 'provider'],
    ['trouble-no-id', 'provider'],
  ])(
    'at the provider (%s) says so: %s',
    async (login, problem) => {
      for (const provider of ['github', 'google'] as const) {
        const reply = await signInAs(new TestBrowser(), vault, login, { provider });
        expect(reply.location).toBe(`${vault.url}/signin?e=${problem}`);
        expect(reply.headers.getSetCookie().some((line) => line.startsWith('hearth='))).toBe(false);
      }
    },
    30_000,
  );

  test('with a code that the provider does not know', async () => {
    const browser = new TestBrowser();
    const start = await browser.request(`${vault.url}/auth/github`);
    const state = new URL(String(start.location)).searchParams.get('state');
    const reply = await browser.request(`${vault.url}/auth/github/callback?code=wrong&state=${state}`);
    expect(reply.location).toBe(`${vault.url}/signin?e=provider`);
  });

  test('in another browser than it began in is refused', async () => {
    const browser = new TestBrowser();
    const back = await chooseAtProvider(browser, await browser.request(`${vault.url}/auth/github`), {
      login: 'ada',
    });
    expect(problemOf((await new TestBrowser().request(back)).location)).toBe('expired');
  });

  test('with the state of the other provider is refused before any code is sent on', async () => {
    const browser = new TestBrowser();
    const back = await chooseAtProvider(browser, await browser.request(`${vault.url}/auth/google`), {
      login: 'ada',
    });
    const mixedUp = back.replace('/auth/google/callback', '/auth/github/callback').replace(/&?iss=[^&]*/, '');
    expect(problemOf((await browser.request(mixedUp)).location)).toBe('expired');
  });

  test('with a sender that is not the provider is refused', async () => {
    const browser = new TestBrowser();
    const back = new URL(
      await chooseAtProvider(browser, await browser.request(`${vault.url}/auth/google`), { login: 'ada' }),
    );
    back.searchParams.set('iss', 'https://evil.example');
    expect(problemOf((await browser.request(back.href)).location)).toBe('provider');
  });

  test('by using a callback a second time', async () => {
    const browser = new TestBrowser();
    const back = await chooseAtProvider(browser, await browser.request(`${vault.url}/auth/github`), {
      login: 'ada',
    });
    await browser.request(back);
    expect(problemOf((await browser.request(back)).location)).toBe('expired');
  });

  test('without a code is a bad request and starts nothing', async () => {
    const reply = await new TestBrowser().request(`${vault.url}/auth/github/callback`);
    expect(reply.status).toBe(400);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test('by HEAD uses nothing up', async () => {
    const browser = new TestBrowser();
    const back = await chooseAtProvider(browser, await browser.request(`${vault.url}/auth/github`), {
      login: 'ada',
    });
    expect((await browser.request(back, { method: 'HEAD' })).status).toBe(405);
    expect((await browser.request(back)).location).toBe(`${vault.url}/`);
  });

  test('leaves no row behind: strangers cannot fill the database', async () => {
    const before = await rows('select count(*)::int as n from sessions');
    await new TestBrowser().request(`${vault.url}/auth/github`);
    expect(await rows('select count(*)::int as n from sessions')).toEqual(before);
  });
});

test('the log of all this holds no code, no state, no token of a provider and no session', () => {
  expect(vault.logText()).not.toMatch(/standin_|code=|state=|access_token/);
});
