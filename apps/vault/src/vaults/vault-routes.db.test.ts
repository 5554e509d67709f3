import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, startTestApi, type TestApi } from '../../test/api.js';

let api: TestApi;
let ada: ApiUser;

beforeAll(async () => {
  api = await startTestApi();
  ada = await api.user();
}, 60_000);

afterAll(() => api.close());

describe('GET /api/secrets/vaults', () => {
  test('answers a bare array of exactly four fields, with Content-Type and no body in the request', async () => {
    const token = await ada.token(['vaults:read']);
    const reply = await token('GET', '/api/secrets/vaults', {
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json).toEqual([
      {
        id: ada.personalVault.id,
        name: 'Personal',
        is_encrypted: true,
        created_at: ada.personalVault.createdAt.toISOString(),
      },
    ]);
    expect(Object.keys(reply.json[0])).toEqual(['id', 'name', 'is_encrypted', 'created_at']);
    expect(reply.json[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('pages by a signed cursor, each vault once and in order', async () => {
    const eve = await api.user('Eve');
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) await eve.session('POST', '/api/secrets/vaults', { body: { name } });
    const seen: string[] = [];
    let next: string | undefined = '/api/secrets/vaults?limit=2';
    while (next !== undefined) {
      const reply = await eve.session('GET', next);
      expect(reply.json.length).toBeLessThanOrEqual(2);
      seen.push(...reply.json.map((vault: { name: string }) => vault.name));
      next = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(['Personal', ...names]);
    expect((await eve.session('GET', '/api/secrets/vaults?cursor=forged')).json.code).toBe('invalid_cursor');
    expect((await eve.session('GET', '/api/secrets/vaults?limit=0')).status).toBe(422);
  });

  test('a token limited to one vault sees that one only', async () => {
    const made = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'limited' } });
    const token = await ada.token(['vaults:read'], { vaultIds: [made.json.id] });
    const { json } = await token('GET', '/api/secrets/vaults');
    expect(json.map((vault: { name: string }) => vault.name)).toEqual(['limited']);
    expect((await token('GET', ada.vaultPath)).status).toBe(404);
    const wide = await ada.token(['vaults:write'], { vaultIds: [made.json.id] });
    expect((await wide('POST', '/api/secrets/vaults', { body: { name: 'another' } })).status).toBe(403);
  });
});

test('a vault is made with its environments, renamed by If-Match, and deleted', async () => {
  const token = await ada.token(['vaults:write', 'secrets:delete']);
  const made = await token('POST', '/api/secrets/vaults', { body: { name: '  Caf\u0065\u0301  ' } });
  expect(made.status).toBe(201);
  expect(made.json.name).toBe('Caf\u00e9');
  const path = made.headers.get('location') as string;
  const environments = await token('GET', `${path}/environments`);
  expect(environments.json.map((each: { slug: string }) => each.slug)).toEqual(['dev', 'staging', 'prod']);

  const etag = made.headers.get('etag') as string;
  const renamed = await token('PATCH', path, { body: { name: 'Bar' }, headers: { 'if-match': etag } });
  expect(renamed.json).toMatchObject({ name: 'Bar', revision: made.json.revision + 1 });
  const stale = await token('PATCH', path, { body: { name: 'Baz' }, headers: { 'if-match': etag } });
  expect(stale.status).toBe(412);

  expect((await token('DELETE', path)).status).toBe(204);
  expect((await token('GET', path)).status).toBe(404);
  expect((await token('POST', '/api/secrets/vaults', { body: { name: 'Bar' } })).status).toBe(201);
});

test('names are unique without regard to case, and must be visible text', async () => {
  await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Team' } });
  const taken = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'team' } });
  expect(taken).toMatchObject({ status: 409, json: { code: 'name_taken' } });
  for (const name of ['', '   ', 'a\u202eb', 'x'.repeat(101), 7, null]) {
    const reply = await ada.session('POST', '/api/secrets/vaults', { body: { name } });
    expect(reply.status).toBe(422);
    expect(reply.json.errors[0].pointer).toBe('/name');
  }
  expect((await ada.session('POST', '/api/secrets/vaults')).status).toBe(422);
});

test('the personal vault cannot be deleted', async () => {
  expect((await ada.session('DELETE', ada.vaultPath)).json.code).toBe('personal_vault_undeletable');
});

test('someone else’s vault, an unknown one and a malformed id are all simply not there', async () => {
  const eve = await api.user('Eve');
  for (const path of [ada.vaultPath, `/api/secrets/vaults/${randomUUID()}`, '/api/secrets/vaults/nonsense']) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'mine' }], ['DELETE']] as const) {
      expect((await eve.session(method, path, body === undefined ? {} : { body })).status).toBe(404);
    }
    expect((await eve.session('GET', `${path}/environments`)).status).toBe(404);
    expect((await eve.session('GET', `${path}/secrets`)).status).toBe(404);
  }
});

test('without credentials, with a wrong token and without the scope nothing is told', async () => {
  const nobody = await api.anonymous('GET', '/api/secrets/vaults');
  expect(nobody.status).toBe(401);
  expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer realm="secrets"/);
  const forged = await api.anonymous('GET', '/api/secrets/vaults', {
    headers: { authorization: `Bearer sk-svc-${'a'.repeat(46)}` },
  });
  expect(forged.status).toBe(401);
  const token = await ada.token(['audit:read']);
  const refused = await token('GET', '/api/secrets/vaults');
  expect(refused).toMatchObject({
    status: 403,
    json: { code: 'insufficient_scope', required_scopes: ['vaults:read'] },
  });
  expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope');
});

test('a method that a path does not have is answered with those it has', async () => {
  const reply = await ada.session('PUT', '/api/secrets/vaults', { body: {} });
  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toBe('HEAD, GET, POST');
});

test('environments are added, renamed, moved and removed, and never lost with their secrets by mistake', async () => {
  const path = `${ada.vaultPath}/environments`;
  const made = await ada.session('POST', path, { body: { slug: 'preview' } });
  expect(made).toMatchObject({ status: 201, json: { slug: 'preview', position: 3, secret_count: 0 } });
  expect((await ada.session('POST', path, { body: { slug: 'preview' } })).json.code).toBe('name_taken');
  expect((await ada.session('POST', path, { body: { slug: 'No Good' } })).status).toBe(422);
  const renamed = await ada.session('PATCH', `${path}/preview`, { body: { slug: 'review', position: 9 } });
  expect(renamed.json).toEqual({ slug: 'review', position: 9, secret_count: 0 });

  await ada.session('PUT', `${ada.vaultPath}/secrets/KEY?env=review`, { body: { value: 'x' } });
  expect((await ada.session('DELETE', `${path}/review`)).json.code).toBe('environment_not_empty');
  const token = await ada.token(['vaults:write']);
  expect((await token('DELETE', `${path}/review?cascade=true`)).json.code).toBe('insufficient_scope');
  expect((await ada.session('DELETE', `${path}/review?cascade=true`)).status).toBe(204);
  expect((await ada.session('DELETE', `${path}/review`)).status).toBe(404);
});

test('a repeated POST with the same Idempotency-Key is done once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'once' }, headers });
  const again = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'once' }, headers });
  expect(again.status).toBe(201);
  expect(again.json).toEqual(first.json);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  const other = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'twice' }, headers });
  expect(other.json.code).toBe('idempotency_key_reused');

  const parallel = { 'idempotency-key': randomUUID() };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      ada.session('POST', '/api/secrets/vaults', { body: { name: 'parallel' }, headers: parallel }),
    ),
  );
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(replies.filter(({ status }) => status === 201).map(({ json }) => json.id)).size).toBe(1);

  const failing = { 'idempotency-key': randomUUID() };
  expect(
    (await ada.session('POST', '/api/secrets/vaults', { body: { name: 'once' }, headers: failing })).status,
  ).toBe(409);
  expect(
    (await ada.session('POST', '/api/secrets/vaults', { body: { name: 'free' }, headers: failing })).status,
  ).toBe(201);
});
