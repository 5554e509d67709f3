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
  vault = await startTestVault();
}, 60_000);

afterAll(() => vault.close());

const identities = async (browser: TestBrowser) =>
  JSON.parse((await browser.api(`${vault.url}/api/identities`)).text) as {
    id: string;
    provider: string;
    username: string | null;
    current: boolean;
  }[];
const unlink = (browser: TestBrowser, id: string) =>
  browser.api(`${vault.url}/api/identities/${id}`, { method: 'DELETE' });
const link = (browser: TestBrowser, login: string) =>
  signInAs(browser, vault, login, { path: '/auth/link/google' });
const userId = async (browser: TestBrowser) =>
  JSON.parse((await browser.api(`${vault.url}/api/session`)).text).user.id;
const makeStale = async (browser: TestBrowser) =>
  vault.database.pool.query(
    "update sessions set authenticated_at = now() - interval '16 min' where user_id = $1",
    [await userId(browser)],
  );

describe('linking a second login', () => {
  test('from a fresh session lets either one open the same account', async () => {
    const browser = await signedInBrowser(vault, 'ada');
    expect((await link(browser, 'ada-at-google')).location).toBe(`${vault.url}/settings/logins`);
    expect(await identities(browser)).toMatchObject([
      { provider: 'github', username: 'ada', current: true },
      { provider: 'google', current: false },
    ]);
    const other = new TestBrowser();
    await signInAs(other, vault, 'ada-at-google', { provider: 'google' });
    expect(await userId(other)).toBe(await userId(browser));
  });

  test('needs a session', async () => {
    const reply = await new TestBrowser().request(`${vault.url}/auth/link/google`);
    expect(reply.status).toBe(401);
  });

  test('needs a recent sign-in, at its beginning and at its end', async () => {
    const browser = await signedInBrowser(vault, 'stale');
    const start = await browser.request(`${vault.url}/auth/link/google`);
    const back = await chooseAtProvider(browser, start, { login: 'stale-at-google' });
    await makeStale(browser);
    expect((await browser.request(back)).location).toBe(`${vault.url}/settings/logins?e=sign-in-again`);
    expect((await browser.request(`${vault.url}/auth/link/google`)).location).toBe(
      `${vault.url}/settings/logins?e=sign-in-again`,
    );
    expect(await identities(browser)).toHaveLength(1);
  });

  test('is refused for a login that opens another account', async () => {
    await signInAs(new TestBrowser(), vault, 'taken', { provider: 'google' });
    const browser = await signedInBrowser(vault, 'taker');
    expect((await link(browser, 'taken')).location).toBe(`${vault.url}/settings/logins?e=identity-taken`);
    expect(await identities(browser)).toHaveLength(1);
  });

  test('twice changes nothing', async () => {
    const browser = await signedInBrowser(vault, 'twice');
    await link(browser, 'twice-at-google');
    await link(browser, 'twice-at-google');
    expect(await identities(browser)).toHaveLength(2);
  });

  test('ends nowhere when another account signs in meanwhile in the same browser', async () => {
    const browser = await signedInBrowser(vault, 'first');
    const start = await browser.request(`${vault.url}/auth/link/google`);
    const back = await chooseAtProvider(browser, start, { login: 'first-at-google' });
    await signInAs(browser, vault, 'second');
    expect((await browser.request(back)).location).toBe(`${vault.url}/signin?e=expired`);
    expect(await identities(browser)).toHaveLength(1);
  });

  test('cannot be begun by another site', async () => {
    const browser = await signedInBrowser(vault, 'victim');
    const reply = await browser.request(`${vault.url}/auth/link/google`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.text).code).toBe('csrf_failed');
  });
});

describe('removing a login', () => {
  test('closes that way in and leaves the other', async () => {
    const browser = await signedInBrowser(vault, 'mover');
    await link(browser, 'mover-at-google');
    const [github, google] = await identities(browser);
    expect((await unlink(browser, String(github?.id))).status).toBe(204);
    expect(await identities(browser)).toMatchObject([{ id: google?.id }]);
    const old = await signedInBrowser(vault, 'mover');
    expect(await userId(old)).not.toBe(await userId(browser));
  });

  test('ends the sessions that it opened', async () => {
    const browser = await signedInBrowser(vault, 'worried');
    await link(browser, 'worried-at-google');
    const intruder = new TestBrowser();
    await signInAs(intruder, vault, 'worried-at-google', { provider: 'google' });
    const google = (await identities(browser)).find(({ provider }) => provider === 'google');
    await unlink(browser, String(google?.id));
    expect((await intruder.api(`${vault.url}/api/session`)).status).toBe(401);
    expect((await browser.api(`${vault.url}/api/session`)).status).toBe(200);
  });

  test('is refused for the last one, also when both are removed at once', async () => {
    const browser = await signedInBrowser(vault, 'careful');
    await link(browser, 'careful-at-google');
    const ids = (await identities(browser)).map(({ id }) => id);
    const replies = await Promise.all(ids.map((id) => unlink(browser, id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await identities(browser)).toHaveLength(1);
  });

  test('of someone else is not found', async () => {
    const other = await identities(await signedInBrowser(vault, 'someone'));
    const browser = await signedInBrowser(vault, 'nosy');
    expect((await unlink(browser, String(other[0]?.id))).status).toBe(404);
  });

  test('needs a recent sign-in', async () => {
    const browser = await signedInBrowser(vault, 'slow');
    await link(browser, 'slow-at-google');
    await makeStale(browser);
    const [first] = await identities(browser);
    const reply = await unlink(browser, String(first?.id));
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.text).code).toBe('reauthentication_required');
  });
});
