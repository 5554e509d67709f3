import { existsSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDomain, fixedKeys } from '../../test/domain.js';
import { type SealableVault, startSealableVault } from '../../test/start-sealable-vault.js';
import { signedInBrowser } from '../../test/start-test-vault.js';
import { TestBrowser } from '../../test/test-browser.js';
import { systemUserId } from '../audit/system-event.js';
import { passphraseKeyFor } from '../crypto/passphrase-box.js';
import { keyFilePath } from '../keys/held-master-keys.js';
import { changeKeyFile, readKeyFile } from '../keys/master-key-file.js';
import { unlockKeyFile } from '../keys/unlock-key-file.js';

const passphrase = 'Überaus langer Satz mit 7 Wörtern';
let vault: SealableVault;

beforeAll(async () => {
  vault = await startSealableVault(passphrase, {
    VAULT_OPERATORS: 'github:grace',
    TRUSTED_PROXIES: 'loopback',
  });
}, 60_000);

afterAll(() => vault.close());

const get = (path: string) => fetch(vault.url + path);
const post = (path: string, body: string, type = 'application/json') =>
  fetch(vault.url + path, { method: 'POST', headers: { 'content-type': type }, body });
const unseal = (text: string) => post('/api/sys/unseal', JSON.stringify({ passphrase: text }));
const problemOf = async (reply: Response) => {
  expect(reply.headers.get('content-type')).toMatch('application/problem+json');
  const { request_id, ...rest } = (await reply.json()) as Record<string, unknown>;
  expect(request_id).toEqual(expect.any(String));
  return rest;
};
const readiness = async () => ((await (await get('/readyz')).json()) as { status: string }).status;
const sealPost = async (browser: TestBrowser) =>
  (await browser.api(`${vault.url}/api/sys/seal`, { method: 'POST' })).status;

describe('a sealed vault', () => {
  test.each([
    ['GET', '/api/secrets/vaults'],
    ['GET', '/api/session'],
    ['GET', '/api/providers'],
    ['GET', '/api/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/auth/github'],
    ['GET', '/auth/github/callback?code=x&state=y'],
    ['POST', '/api/sys/seal'],
    ['GET', '/api/sys/seal'],
    ['PUT', '/api/secrets/vaults/x/secrets/KEY?env=dev'],
    ['POST', '/api/secrets/leaks'],
    ['DELETE', '/anything'],
  ])('answers %s %s with 503 sealed', async (method, path) => {
    const reply = await fetch(vault.url + path, { method, redirect: 'manual' });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await problemOf(reply)).toEqual({
      type: 'urn:hearth:problem:sealed',
      title: 'The vault is sealed',
      status: 503,
      detail: 'The vault is sealed',
      code: 'sealed',
    });
  });

  test('lives, and says that it is sealed', async () => {
    expect((await get('/healthz')).status).toBe(200);
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'sealed',
      checks: { database: 'ok', master_key: 'sealed' },
    });
  });

  test('serves the page where one types the passphrase, under the strict policy', async () => {
    const page = await get('/secrets/tokens');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/require-trusted-types-for 'script'/);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] as string;
    expect((await get(script)).status).toBe(200);
  });

  test('tells nothing by how it refuses a passphrase', async () => {
    const wrong = [];
    for (const text of ['x', `${passphrase}!`, 'another long enough passphrase', 'ü'.repeat(1024)]) {
      const reply = await unseal(text);
      wrong.push([reply.status, await problemOf(reply)]);
    }
    expect(new Set(wrong.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(wrong[0]).toEqual([403, expect.objectContaining({ code: 'wrong_passphrase' })]);
  }, 60_000);

  test('takes nothing but a passphrase in JSON, and never repeats it', async () => {
    const replies = await Promise.all([
      post('/api/sys/unseal', `{"passphrase":"${passphrase}"`),
      post('/api/sys/unseal', `passphrase=${passphrase}`, 'application/x-www-form-urlencoded'),
      post('/api/sys/unseal', JSON.stringify({ passphrase, more: passphrase })),
      post('/api/sys/unseal', JSON.stringify({ passphrase: [passphrase] })),
      post('/api/sys/unseal', JSON.stringify({ passphrase: '' })),
      post('/api/sys/unseal', JSON.stringify({ passphrase: 'x'.repeat(1025) })),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([400, 415, 422, 422, 422, 422]);
    for (const reply of replies) expect(await reply.text()).not.toContain(passphrase);
  }, 60_000);

  test('tells callers behind a proxy that it was told of apart by their own addresses', async () => {
    const statusFor = async (address: string) => {
      const reply = await fetch(`${vault.url}/api/sys/unseal`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ passphrase: 'no' }),
      });
      return reply.status;
    };
    for (const address of ['198.51.100.0', '192.0.2.1']) expect(await statusFor(address)).toBe(403);
  }, 60_000);
});

test('unsealing, sealing and unsealing again: by operators only, recorded, and nobody loses a thing', async () => {
  // As a terminal would send it on another machine: other code points, and a line end.
  expect((await unseal(`${passphrase.normalize('NFD')}\n`)).status).toBe(204);
  expect(await readiness()).toBe('ok');
  const twice = await unseal('whatever is said now');
  expect([twice.status, (await problemOf(twice)).code]).toEqual([409, 'conflict']);

  const [ada, grace] = [await signedInBrowser(vault, 'ada'), await signedInBrowser(vault, 'grace')];
  const status = async (browser: TestBrowser) => (await browser.api(`${vault.url}/api/sys/seal`)).text;
  expect(JSON.parse(await status(ada))).toEqual({ has_passphrase: true, may_seal: false });
  expect(JSON.parse(await status(grace))).toEqual({ has_passphrase: true, may_seal: true });
  const [personal] = JSON.parse((await ada.api(`${vault.url}/api/secrets/vaults`)).text);
  const secret = `${vault.url}/api/secrets/vaults/${personal.id}/secrets/KEY?env=dev`;
  const kept = JSON.stringify({ value: 'kept' });
  expect((await ada.api(secret, { method: 'PUT', body: kept })).status).toBe(201);

  expect(await sealPost(new TestBrowser())).toBe(401);
  expect(await sealPost(ada)).toBe(403);
  const aged = "update sessions set authenticated_at = now() - interval '1 h' where user_id <> $1";
  await vault.database.pool.query(aged, [
    JSON.parse((await ada.api(`${vault.url}/api/session`)).text).user.id,
  ]);
  expect(await sealPost(grace)).toBe(403);
  expect(await sealPost(await signedInBrowser(vault, 'grace'))).toBe(204);

  expect((await ada.api(secret)).status).toBe(503);
  expect(await readiness()).toBe('sealed');
  expect((await unseal('not this one either')).status).toBe(403);
  expect((await unseal(passphrase)).status).toBe(204);
  expect(JSON.parse((await ada.api(secret)).text).value).toBe('kept');
}, 120_000);

test('the log of the installation tells who sealed and unsealed it and how often others tried, that of people what they did', async () => {
  const { audit } = await createTestDomain(vault.database.db, fixedKeys(vault.masterKey));
  expect((await audit.verify(systemUserId)).valid).toBe(true);
  const events = await audit.page(systemUserId, { action: 'sys.*' }, undefined, 10);
  expect(events.map(({ action, outcome, meta }) => [action, outcome, meta['attempts']])).toEqual([
    ['sys.unseal', 'success', undefined],
    ['sys.unseal', 'denied', 1],
    ['sys.seal', 'success', undefined],
    ['sys.unseal', 'success', undefined],
    ['sys.unseal', 'denied', 6],
  ]);
  expect(events[2]?.actor).toMatchObject({ kind: 'user', label: 'Grace Hopper' });
  expect(events[0]?.request).toMatchObject({ ip: '127.0.0.1', requestId: expect.any(String) });
  expect(events[4]?.request.ip).toBe('192.0.2.1');
  expect(events[4]?.meta).toMatchObject({
    addresses: expect.arrayContaining(['127.0.0.1', '192.0.2.1', '198.51.100.0']),
    first_at: expect.any(String),
  });
  const { rows } = await vault.database.pool.query(
    "select actor_label as who, outcome from audit_events where action = 'sys.seal' and user_id <> $1 order by id",
    [systemUserId],
  );
  expect(rows).toEqual([
    { who: 'Ada Lovelace', outcome: 'denied' },
    { who: 'Grace Hopper', outcome: 'success' },
  ]);
});

test('the passphrase is in no log and no row', async () => {
  const { rows } = await vault.database.pool.query('select audit_events::text as row from audit_events');
  const everything = vault.logText() + rows.map(({ row }) => row).join('\n');
  for (const form of [passphrase, passphrase.normalize('NFD'), Buffer.from(passphrase).toString('base64')]) {
    expect(everything).not.toContain(form);
  }
  expect(vault.logText()).toContain('a passphrase did not unseal the vault');
});

test('sealing in the middle of writes leaves nothing that does not open again', async () => {
  const grace = await signedInBrowser(vault, 'grace');
  const acknowledged = new Map<string, string>();
  let enough: () => void = () => undefined;
  const busy = new Promise<void>((resolve) => {
    enough = resolve;
  });
  // Vaults are made too: their data keys are wrapped by the very key that is being wiped.
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; ; n += 1) {
      const name = `vault ${writer} ${n}`;
      const made = await grace.api(`${vault.url}/api/secrets/vaults`, {
        method: 'POST',
        body: JSON.stringify({ name }),
      });
      if (made.status !== 201) return made.status;
      const secret = `${vault.url}/api/secrets/vaults/${JSON.parse(made.text).id}/secrets/KEY?env=dev`;
      const written = await grace.api(secret, { method: 'PUT', body: JSON.stringify({ value: name }) });
      if (written.status !== 201) return written.status;
      acknowledged.set(secret, name);
      if (n === 4) enough();
    }
  });
  await busy;
  expect(await sealPost(grace)).toBe(204);
  expect(await Promise.all(writers)).toEqual([503, 503, 503, 503]);
  expect((await unseal(passphrase)).status).toBe(204);

  const all = JSON.parse((await grace.api(`${vault.url}/api/secrets/vaults`)).text) as { id: string }[];
  const opened = await Promise.all(
    all.map(async ({ id }) => {
      const list = `${vault.url}/api/secrets/vaults/${id}/secrets?env=dev&include=values`;
      return (await grace.api(list)).status;
    }),
  );
  expect(new Set(opened)).toEqual(new Set([200]));
  expect(acknowledged.size).toBeGreaterThan(15);
  for (const [secret, value] of acknowledged) {
    expect(JSON.parse((await grace.api(secret)).text).value).toBe(value);
  }
}, 90_000);

test('a right passphrase whose keys do not fit the database says so, and the vault stays sealed', async () => {
  const grace = await signedInBrowser(vault, 'grace');
  expect(await sealPost(grace)).toBe(204);
  const file = keyFilePath(vault.config);
  const fileKey = await unlockKeyFile(vault.config, passphrase);
  const right = readKeyFile(file, fileKey)?.active as Buffer;
  changeKeyFile(file, { before: fileKey, after: fileKey }, () => [Buffer.from(right).reverse()]);
  const refused = await unseal(passphrase);
  expect(refused.status).toBe(409);
  expect((await problemOf(refused)).detail).toMatch(/^wrong master key: /);
  expect((await get('/api/session')).status).toBe(503);

  const after = await passphraseKeyFor('a new passphrase for it');
  changeKeyFile(file, { before: fileKey, after }, () => [right]);
  expect((await unseal(passphrase)).status).toBe(403);
  expect((await unseal('a new passphrase for it')).status).toBe(204);
}, 60_000);

test('a key file that is gone is not made anew for whoever sends a passphrase, and one without a seal opens for nobody', async () => {
  const current = 'a new passphrase for it';
  const grace = await signedInBrowser(vault, 'grace');
  expect(await sealPost(grace)).toBe(204);
  const file = keyFilePath(vault.config);
  const sealed = await unlockKeyFile(vault.config, current);
  const refusal = async () => {
    const reply = await unseal('what a stranger types');
    expect((await problemOf(reply)).detail).toBe(
      'The key file is not as it should be; the log of the vault tells more.',
    );
    return reply.status;
  };

  renameSync(file, `${file}.away`);
  expect(await refusal()).toBe(409);
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.away`, file);

  changeKeyFile(file, { before: sealed, after: undefined }, ({ active }) => [active]);
  expect(await refusal()).toBe(409);
  expect((await get('/api/session')).status).toBe(503);
  expect(vault.logText()).toContain('is not there or has no seal any more');

  changeKeyFile(file, { before: undefined, after: sealed }, ({ active }) => [active]);
  expect((await unseal(current)).status).toBe(204);
}, 60_000);
