import { createSign, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiReply, type ApiUser, startTestApi, type TestApi } from '../../test/api.js';
import { mintToken } from '../crypto/api-token.js';
import { rateLimits } from '../http/security/rate-limits.js';

let api: TestApi;
let ada: ApiUser;
let folder: string;
const github = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const leaks = '/api/secrets/leaks';
const place = 'https://github.com/octo/app/blob/main/.env';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'leak-keys-'));
  const file = path.join(folder, 'keys.json');
  const keys = { public_keys: [{ key_identifier: 'k1', key: github.publicKey, is_current: true }] };
  writeFileSync(file, JSON.stringify(keys));
  api = await startTestApi({ GITHUB_LEAK_KEYS_FILE: file });
}, 60_000);

afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  ada = await api.user();
});

const report = (body: unknown, headers: Record<string, string> = {}) =>
  api.anonymous('POST', leaks, { body, headers: { 'content-type': 'application/json', ...headers } });
const entry = (token: string) => ({ token, type: 'hearth_token', url: place, source: 'content' });
const isAlive = async (value: string) =>
  (await api.anonymous('GET', '/api/secrets/token', { headers: { authorization: `Bearer ${value}` } }))
    .status === 200;
const revocations = async () => (await ada.session('GET', '/api/secrets/audit?action=token.revoke')).json;
/** All that a reporter can see, but for what differs from request to request. */
const seen = ({ status, text, headers }: ApiReply) => {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, text, headers: kept };
};

describe('a live token that is reported', () => {
  test('is revoked when the answer comes, and its owner sees by whom it was found and where', async () => {
    const token = await ada.token(['vaults:read']);
    const reply = await report([entry(token.value)], { 'user-agent': 'scanner/1' });
    expect(reply).toMatchObject({ status: 202, json: { accepted: true } });
    expect(await isAlive(token.value)).toBe(false);
    const shown = await ada.session('GET', `/api/secrets/tokens/${token.id}`);
    expect(shown.json).toMatchObject({
      status: 'revoked',
      revoked_at: expect.any(String),
      leak: { reported_by: 'anonymous', url: place },
    });
    const events = await revocations();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      actor: { kind: 'system', id: null, label: 'Leak report' },
      target: { kind: 'token', id: token.id },
      user_agent: 'scanner/1',
      meta: {
        reason: 'leaked',
        reported_by: 'anonymous',
        type: 'hearth_token',
        source: 'content',
        url: place,
      },
    });
    expect((await ada.session('GET', '/api/secrets/audit/verify')).json.valid).toBe(true);
  });

  test('is revoked although its account is disabled, and stays so when that is enabled again', async () => {
    const token = await ada.token(['vaults:read']);
    const disable = (at: string | null) =>
      api.database.pool.query('update users set disabled_at = $2 where id = $1', [ada.id, at]);
    await disable('2026-01-01');
    expect((await report([entry(token.value)])).status).toBe(202);
    await disable(null);
    expect(await isAlive(token.value)).toBe(false);
    expect(await revocations()).toMatchObject([{ target: { id: token.id }, meta: { reason: 'leaked' } }]);
  });

  test('is revoked although it is in the grace time of a rotation; the new one lives', async () => {
    const token = await ada.token(['vaults:read']);
    const rotated = await ada.session('POST', `/api/secrets/tokens/${token.id}/rotate`, {
      body: { grace_seconds: 3600 },
    });
    expect(await isAlive(token.value)).toBe(true);
    await report([entry(token.value)]);
    expect(await isAlive(token.value)).toBe(false);
    expect(await isAlive(rotated.json.token)).toBe(true);
  });

  test('leaves the others of its owner and of others alone', async () => {
    const grace = await api.user('Grace');
    const [leaked, other, hers] = [
      await ada.token(['vaults:read']),
      await ada.token(['vaults:read']),
      await grace.token(['vaults:read']),
    ];
    await report([entry(leaked.value)]);
    expect(await isAlive(leaked.value)).toBe(false);
    expect([await isAlive(other.value), await isAlive(hers.value)]).toEqual([true, true]);
    expect((await grace.session('GET', '/api/secrets/audit?action=token.revoke')).json).toEqual([]);
  });

  test('is found among hundreds of entries, and tokens of several owners go in one report', async () => {
    const grace = await api.user('Grace');
    const [one, two] = [await ada.token(['vaults:read']), await grace.token(['vaults:read'])];
    const noise = Array.from({ length: 498 }, () => entry(mintToken().value));
    expect((await report([entry(one.value), ...noise, entry(two.value)])).status).toBe(202);
    expect([await isAlive(one.value), await isAlive(two.value)]).toEqual([false, false]);
  });

  test('is revoked once, however often it is reported at the same time', async () => {
    const token = await ada.token(['vaults:read']);
    await Promise.all(Array.from({ length: 8 }, () => report([entry(token.value), entry(token.value)])));
    await report([entry(token.value)]);
    expect(await revocations()).toHaveLength(1);
  });
});

test('the answer is the same for tokens that are live, dead, unknown or none at all, and for any nonsense', async () => {
  const [live, dead] = [await ada.token(['vaults:read']), await ada.token(['vaults:read'])];
  await ada.session('DELETE', `/api/secrets/tokens/${dead.id}`);
  const before = await revocations();
  const first = seen(await report([entry(live.value)]));
  expect(first.status).toBe(202);
  const bodies: unknown[] = [
    [entry(dead.value)],
    [entry(mintToken().value)],
    [entry('sk-svc-short')],
    [{ token: dead.value, type: 'no type that we know', url: 'no address' }],
    [{ token: 7 }, null, 'text', [], {}, { url: place }],
    [],
    {},
    '"text"',
    'null',
  ];
  for (const body of bodies) expect(seen(await report(body))).toEqual(first);
  expect(await revocations()).toHaveLength(before.length + 1);
});

test('nobody is asked who they are: not even a bad token or a session without its headers is looked at', async () => {
  for (const headers of [{ authorization: 'Bearer sk-svc-wrong' }, { cookie: 'hearth=x' }]) {
    expect((await report([], headers)).status).toBe(202);
  }
  const token = await ada.token(['vaults:read']);
  expect((await token('POST', leaks, { body: [entry(token.value)] })).status).toBe(202);
  expect(await isAlive(token.value)).toBe(false);
});

test('what is too much, or is not JSON, is refused before a token is looked at', async () => {
  const token = await ada.token(['vaults:read']);
  const many = Array.from({ length: 501 }, () => entry(token.value));
  expect(await report(many)).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
  const large = [{ ...entry(token.value), url: 'x'.repeat(300_000) }];
  expect(await report(large)).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
  expect(await report(`[{"token":"${token.value}"`)).toMatchObject({ status: 400 });
  expect(await report(token.value, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await isAlive(token.value)).toBe(true);
  expect(api.logText()).not.toContain(token.value);
});

test('neither the database nor the log ever holds the token, wherever a report puts it', async () => {
  const token = await ada.token(['vaults:read']);
  const body = token.value.slice('sk-svc-'.length);
  const url = `https://ada:${body}@paste.example/${token.value}?q=${body}#${token.value}`;
  await report([{ token: token.value, type: token.value, url, source: `in ${body}` }], {
    'user-agent': 'scanner',
  });
  const [event] = await revocations();
  expect(event.meta.url).toBe('https://paste.example/sk-svc-…?q=…#sk-svc-…');
  const { rows } = await api.database.pool.query<{ row: string }>(
    'select t::text as row from audit_events t union all select t::text from api_tokens t',
  );
  for (const text of [...rows.map(({ row }) => row), api.logText()]) expect(text).not.toContain(body);
});

describe('GitHub’s signature', () => {
  const signed = (text: string, identifier = 'k1', over = text) =>
    report(text, {
      'github-public-key-identifier': identifier,
      'github-public-key-signature': createSign('sha256').update(over).sign(github.privateKey, 'base64'),
    });
  const reporterOf = async (id: string) =>
    (await ada.session('GET', `/api/secrets/tokens/${id}`)).json.leak.reported_by;

  test('is believed over exactly the bytes that came', async () => {
    const token = await ada.token(['vaults:read']);
    const text = `[ {"token": "${token.value}",\n "type":"t", "url":"${place}"} ]`;
    expect((await signed(text)).status).toBe(202);
    expect(await reporterOf(token.id)).toBe('github');
    expect((await revocations())[0].actor.label).toBe('GitHub secret scanning');
  });

  test('that is wrong makes a report anonymous, and the token is revoked all the same', async () => {
    const [one, two] = [await ada.token(['vaults:read']), await ada.token(['vaults:read'])];
    expect((await signed(JSON.stringify([entry(one.value)]), 'k1', 'other bytes')).status).toBe(202);
    expect((await signed(JSON.stringify([entry(two.value)]), 'unknown key')).status).toBe(202);
    expect([await reporterOf(one.id), await reporterOf(two.id)]).toEqual(['anonymous', 'anonymous']);
    expect([await isAlive(one.value), await isAlive(two.value)]).toEqual([false, false]);
  });
});

test('reports are limited for each address, whatever is in them', async () => {
  const limited = await startTestApi({ HEARTH_VAULT_RATE_LIMITS: 'true' });
  try {
    const send = () => limited.anonymous('POST', leaks, { body: [] });
    const replies = await Promise.all(Array.from({ length: rateLimits.leakReport.limit }, send));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    const refused = await send();
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
}, 60_000);
