import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signedInBrowser, signInAs, startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { TestBrowser } from '../../test/test-browser.js';

let vault: TestVault;
let host: string;

beforeAll(async () => {
  vault = await startTestVault();
  host = new URL(vault.url).host;
}, 60_000);

afterAll(() => vault.close());

const get = async (browser: TestBrowser, path: string) => {
  const reply = await browser.api(`${vault.url}${path}`);
  return { status: reply.status, body: JSON.parse(reply.text) };
};
const remove = (browser: TestBrowser, path: string, headers?: Record<string, string>) =>
  browser.api(`${vault.url}${path}`, { method: 'DELETE', ...(headers ? { headers } : {}) });
const currentId = async (browser: TestBrowser): Promise<string> =>
  (await get(browser, '/api/session')).body.session.id;
const change = (sql: string, ...values: unknown[]) => vault.database.pool.query(sql, values);

describe('a session', () => {
  test('says who is signed in, and until when the sign-in counts as fresh', async () => {
    const browser = await signedInBrowser(vault, 'grace');
    const { body } = await get(browser, '/api/session');
    expect(body.user).toMatchObject({ display_name: 'Grace Hopper' });
    const { authenticated_at, fresh_until, expires_at } = body.session;
    expect(Date.parse(fresh_until) - Date.parse(authenticated_at)).toBe(15 * 60_000);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  });

  test('is kept as a hash: what the database holds opens nothing', async () => {
    const browser = await signedInBrowser(vault, 'ada');
    const secret = browser.cookies(host).get('hearth') ?? '';
    const { rows } = await vault.database.pool.query('select sessions::text as row from sessions');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  });

  test('ends when it is not used, whatever its cookie says', async () => {
    const browser = await signedInBrowser(vault, 'idle');
    await change(
      "update sessions set idle_expires_at = now() - interval '1 s' where id = $1",
      await currentId(browser),
    );
    expect((await get(browser, '/api/session')).status).toBe(401);
  });

  test('ends at its absolute end, however much it is used', async () => {
    const browser = await signedInBrowser(vault, 'absolute');
    const id = await currentId(browser);
    await change(
      `update sessions set absolute_expires_at = now() - interval '1 s', idle_expires_at = now() + interval '1 h'
       where id = $1`,
      id,
    );
    expect((await get(browser, '/api/session')).status).toBe(401);
    await vault.sessions.deleteExpired();
    const { rows } = await vault.database.pool.query('select 1 from sessions where id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('lives on while it is used', async () => {
    const browser = await signedInBrowser(vault, 'busy');
    const id = await currentId(browser);
    await change(
      `update sessions set last_seen_at = now() - interval '2 min', idle_expires_at = now() + interval '5 min'
       where id = $1`,
      id,
    );
    await get(browser, '/api/session');
    const { rows } = await vault.database.pool.query(
      "select idle_expires_at > now() + interval '7 h' as moved from sessions where id = $1",
      [id],
    );
    expect(rows).toEqual([{ moved: true }]);
  });

  test('of a disabled account opens nothing, and neither does a new sign-in', async () => {
    const browser = await signedInBrowser(vault, 'disabled');
    const { body } = await get(browser, '/api/session');
    await change('update users set disabled_at = now() where id = $1', body.user.id);
    expect((await get(browser, '/api/session')).status).toBe(401);
    const again = await signInAs(new TestBrowser(), vault, 'disabled');
    expect(again.location).toBe(`${vault.url}/signin?e=account-disabled`);
    const { rows } = await vault.database.pool.query(
      'select outcome from audit_events where user_id = $1 order by id desc limit 1',
      [body.user.id],
    );
    expect(rows).toEqual([{ outcome: 'denied' }]);
  });

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}%`])(
    'is not opened by the cookie %p',
    async (secret) => {
      const browser = new TestBrowser();
      browser.setCookie(host, 'hearth', secret);
      expect((await get(browser, '/api/session')).status).toBe(401);
    },
  );
});

describe('signing out', () => {
  test('ends the session, clears the cookie and is in the log', async () => {
    const browser = await signedInBrowser(vault, 'leaver');
    const { body } = await get(browser, '/api/session');
    const secret = browser.cookies(host).get('hearth') ?? '';
    const reply = await remove(browser, '/api/session');
    expect(reply.status).toBe(204);
    expect(reply.headers.get('clear-site-data')).toContain('"cookies"');
    expect(browser.cookies(host).has('hearth')).toBe(false);
    browser.setCookie(host, 'hearth', secret);
    expect((await get(browser, '/api/session')).status).toBe(401);
    const { rows } = await vault.database.pool.query(
      'select action, actor_label from audit_events where user_id = $1 order by id desc limit 1',
      [body.user.id],
    );
    expect(rows).toEqual([{ action: 'auth.logout', actor_label: 'leaver' }]);
  });
});

describe('the list of sessions', () => {
  test('shows every device of the account and none of others, and which one asks', async () => {
    const one = await signedInBrowser(vault, 'lister');
    const two = await signedInBrowser(vault, 'lister');
    await signedInBrowser(vault, 'other');
    const { body } = await get(one, '/api/sessions');
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual(
      [await currentId(one), await currentId(two)].sort(),
    );
    const mine = body.filter(({ current }: { current: boolean }) => current);
    expect(mine).toMatchObject([{ id: await currentId(one), ip: '127.0.0.1', user_agent: 'node' }]);
  });

  test('can end one device, and all others', async () => {
    const [one, two, three] = [
      await signedInBrowser(vault, 'ender'),
      await signedInBrowser(vault, 'ender'),
      await signedInBrowser(vault, 'ender'),
    ] as const;
    expect((await remove(one, `/api/sessions/${await currentId(two)}`)).status).toBe(204);
    expect((await get(two, '/api/session')).status).toBe(401);
    const others = await remove(one, '/api/sessions');
    expect(JSON.parse(others.text)).toEqual({ revoked: 1 });
    expect((await get(three, '/api/session')).status).toBe(401);
    expect((await get(one, '/api/session')).status).toBe(200);
  });

  test('cannot end the session of someone else, which is not found', async () => {
    const mine = await signedInBrowser(vault, 'mine');
    const theirs = await signedInBrowser(vault, 'theirs');
    for (const id of [await currentId(theirs), 'not-an-id', '00000000-0000-4000-8000-000000000000']) {
      expect((await remove(mine, `/api/sessions/${id}`)).status).toBe(404);
    }
    expect((await get(theirs, '/api/session')).status).toBe(200);
  });
});
