import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ageSession, startTestApi, type TestApi } from '../../test/api.js';
import { silentLogger } from '../../test/domain.js';
import { startSealableVault } from '../../test/start-sealable-vault.js';
import { composeVault } from '../compose-vault.js';
import { readConfig } from '../config.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
}, 60_000);

afterAll(() => api.close());

test('without a passphrase nothing is sealed, for nobody could undo it', async () => {
  const ada = await api.user();
  expect((await ada.session('GET', '/api/sys/seal')).json).toEqual({ has_passphrase: false, may_seal: true });
  const refused = await ada.session('POST', '/api/sys/seal');
  expect(refused).toMatchObject({ status: 409, json: { code: 'conflict' } });
  expect(refused.json.detail).toContain('hearth-vault seal-key');
  expect((await ada.session('GET', '/api/secrets/vaults')).status).toBe(200);

  await ageSession(api, ada.id);
  expect((await ada.session('POST', '/api/sys/seal')).json.code).toBe('reauthentication_required');
});

test('no token seals, and a second account takes the right from the first', async () => {
  const eve = await api.user('Eve');
  const token = await eve.token(['vaults:write', 'secrets:write']);
  expect((await token('POST', '/api/sys/seal')).status).toBe(403);
  expect((await eve.session('GET', '/api/sys/seal')).json.may_seal).toBe(false);
  expect((await eve.session('POST', '/api/sys/seal')).json).toMatchObject({ status: 403, code: 'forbidden' });
  const log = await eve.session('GET', '/api/secrets/audit?action=sys.*');
  expect(log.json).toMatchObject([{ action: 'sys.seal', outcome: 'denied' }]);
});

test('an open vault does not look at a passphrase, whatever it is', async () => {
  const answers = await Promise.all(
    ['right or wrong', 'x'].map((passphrase) =>
      api.anonymous('POST', '/api/sys/unseal', { body: { passphrase } }),
    ),
  );
  for (const { status, json } of answers) expect([status, json.code]).toEqual([409, 'conflict']);
});

test('ten passphrases a minute are tried for one address; what is no passphrase does not count', async () => {
  const passphrase = 'a passphrase of some length';
  const vault = await startSealableVault(passphrase, { HEARTH_VAULT_RATE_LIMITS: 'true' });
  try {
    const attempt = (body: string) =>
      fetch(`${vault.url}/api/sys/unseal`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    for (let n = 0; n < 12; n += 1) expect((await attempt('{"passphrase":')).status).toBe(400);
    // Sent at once, one is tried and the others have to come again.
    const guess = JSON.stringify({ passphrase: 'not this one' });
    const together = await Promise.all(Array.from({ length: 12 }, async () => (await attempt(guess)).status));
    expect(together.sort()).toEqual([403, ...Array.from({ length: 11 }, () => 429)]);
    for (let n = 1; n < 10; n += 1) expect((await attempt(guess)).status).toBe(403);
    const limited = await attempt(JSON.stringify({ passphrase }));
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(limited.headers.get('ratelimit-policy')).toMatch(/^"unseal"; q=10/);
    expect((await fetch(`${vault.url}/healthz`)).status).toBe(200);
  } finally {
    await vault.close();
  }
}, 90_000);

test('keys of GitHub that cannot be read stop the start, also of a vault that is sealed', () => {
  const config = readConfig({ flags: {}, env: { GITHUB_LEAK_KEYS_FILE: '/nonexistent/keys.json' } });
  const parts = { publicUrl: 'http://127.0.0.1', providers: [], logger: silentLogger };
  expect(() => composeVault({ config, db: api.database.db, ...parts })).toThrow(
    'GITHUB_LEAK_KEYS_FILE: /nonexistent/keys.json cannot be read (ENOENT)',
  );
});
