import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type ApiUser, ageSession } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';

const tokens = '/api/secrets/tokens';

givenApi();

const create = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  ada.session('POST', tokens, { body: { name: 'ci', scopes: ['secrets:read'], ...body }, headers });
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
const whoami = (value: string) => api.anonymous('GET', '/api/secrets/token', bearer(value));

describe('making a token', () => {
  test('shows its value once; the database holds only the SHA-256 of it', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    const { token, ...shown } = made.json;
    expect(token).toMatch(/^sk-svc-[0-9A-Za-z]{46}$/);
    expect(shown).toMatchObject({ name: 'ci', status: 'active', scopes: ['secrets:read'] });
    expect(shown.hint).toBe(`sk-svc-…${token.slice(43, 47)}`);
    const listed = await ada.session('GET', tokens);
    expect(listed.text).not.toContain(token);
    expect(listed.json).toHaveLength(1);
    const { rows } = await api.database.pool.query(
      `select token_hash = sha256(convert_to($1, 'utf8')) as hashed, row_to_json(t)::text as row from api_tokens t where id = $2`,
      [token, shown.id],
    );
    expect(rows[0].hashed).toBe(true);
    expect(rows[0].row).not.toContain(token.slice(7, 40));
    expect((await whoami(token)).json).toMatchObject({ id: shown.id, name: 'ci' });
  });

  test('lasts ninety days unless told otherwise', async () => {
    const days = (json: { created_at: string; expires_at: string }) =>
      Math.round((Date.parse(json.expires_at) - Date.parse(json.created_at)) / 86_400_000);
    expect(days((await create()).json)).toBe(90);
    expect(days((await create({ name: 'short', expires_in_days: 7 })).json)).toBe(7);
    expect((await create({ name: 'forever', expires_in_days: null })).json.expires_at).toBeNull();
  });

  test.each([
    ['an unknown scope', { scopes: ['secrets:everything'] }, '/scopes/0'],
    ['no scope', { scopes: [] }, '/scopes'],
    ['no name', { name: '' }, '/name'],
    ['a range that is none', { ip_allow: ['10.0.0.0/99'] }, '/ip_allow/0'],
    ['someone else’s vault', { vault_ids: [randomUUID()] }, '/vault_ids/0'],
  ])('%s is refused by its place', async (_name, body, pointer) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(reply.json.errors[0].pointer).toBe(pointer);
  });

  test('an unknown scope is answered with the ones there are', async () => {
    const reply = await create({ scopes: ['nope'] });
    expect(reply.json.errors[0].detail).toContain('secrets:read');
  });

  test('is for fresh sessions only: no token makes, rotates, narrows or revokes another', async () => {
    const made = (await create()).json;
    const full = await ada.token(['vaults:write', 'secrets:write', 'tokens:read', 'audit:read']);
    for (const [method, path, body] of [
      ['POST', tokens, { name: 'x', scopes: ['vaults:read'] }],
      ['POST', `${tokens}/${made.id}/rotate`, {}],
      ['PATCH', `${tokens}/${made.id}`, { name: 'y' }],
      ['DELETE', `${tokens}/${made.id}`, undefined],
      ['POST', `${tokens}/revoke-all`, undefined],
    ] as const) {
      expect((await full(method, path, body === undefined ? {} : { body })).status).toBe(403);
    }
    await ageSession(api, ada.id);
    expect((await create({ name: 'late' })).json.code).toBe('reauthentication_required');
    expect((await ada.session('POST', `${tokens}/${made.id}/rotate`)).json.code).toBe(
      'reauthentication_required',
    );
  });

  test('twice with one Idempotency-Key makes one token, and the value is not given again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create({}, headers);
    const second = await create({}, headers);
    expect(second).toMatchObject({ status: 409, json: { code: 'already_created', token_id: first.json.id } });
    expect(second.text).not.toContain(first.json.token);
    const { rows } = await api.database.pool.query('select response_enc from idempotency_keys');
    expect(JSON.stringify(rows.map(({ response_enc: sealed }) => sealed.toString('latin1')))).not.toContain(
      'sk-svc-',
    );
  });

  test('a name is held by one live token, and free after revocation', async () => {
    const first = await create();
    expect((await create({ name: 'CI' })).json.code).toBe('name_taken');
    await ada.session('DELETE', `${tokens}/${first.json.id}`);
    expect((await create({ name: 'CI' })).status).toBe(201);
  });

  test('of those asked for at once exactly as many are made as the limit has room for', async () => {
    const ask = (first: number, count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, n) => ada.token(['vaults:read'], { name: `t${first + n}` })),
      );
    for (let made = 0; made < 90; made += 10) await ask(made, 10);
    const results = await ask(90, 20);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refusals).toEqual(Array.from({ length: 10 }, () => 'limit_reached'));
  }, 60_000);
});

describe('the life of a token', () => {
  test('revocation holds for the very next request, again and again', async () => {
    const { id, token } = (await create()).json;
    expect((await whoami(token)).status).toBe(200);
    expect((await ada.session('DELETE', `${tokens}/${id}`)).status).toBe(204);
    expect((await ada.session('DELETE', `${tokens}/${id}`)).status).toBe(204);
    const refused = await whoami(token);
    expect(refused.status).toBe(401);
    const unknown = await whoami(`${token.slice(0, -1)}x`);
    const { request_id: one, ...body } = refused.json;
    const { request_id: other, ...sameBody } = unknown.json;
    expect(body).toEqual(sameBody);
    expect((await ada.session('GET', `${tokens}/${id}`)).json.status).toBe('revoked');
  });

  test('an expired token is refused, and only its owner learns why', async () => {
    const { id, token } = (await create()).json;
    await api.database.pool.query(
      `update api_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where id = $1`,
      [id],
    );
    expect((await whoami(token)).status).toBe(401);
    expect((await whoami(token)).status).toBe(401);
    const events = await api.domain.audit.page(ada.id, { action: 'token.use_denied' }, undefined, 10);
    expect(events.map(({ meta }) => meta)).toEqual([{ reason: 'expired' }]);
  });

  test('rotation with grace lets both values work, then only the new one', async () => {
    const old = (await create()).json;
    const rotated = await ada.session('POST', `${tokens}/${old.id}/rotate`, {
      body: { grace_seconds: 3600 },
    });
    expect(rotated).toMatchObject({ status: 201, json: { name: 'ci', scopes: ['secrets:read'] } });
    expect((await whoami(old.token)).json).toMatchObject({ status: 'active', rotated_to: rotated.json.id });
    expect((await whoami(rotated.json.token)).status).toBe(200);
    await api.database.pool.query(`update api_tokens set revoked_at = now() where id = $1`, [old.id]);
    expect((await whoami(old.token)).status).toBe(401);
    expect((await whoami(rotated.json.token)).status).toBe(200);
    expect((await ada.session('POST', `${tokens}/${old.id}/rotate`)).status).toBe(409);
    const atOnce = await ada.session('POST', `${tokens}/${rotated.json.id}/rotate`);
    expect((await whoami(rotated.json.token)).status).toBe(401);
    expect((await whoami(atOnce.json.token)).status).toBe(200);
  });

  test('an expired token gives up its name to a new one or a renamed one, and stays an expired one', async () => {
    const expire = (id: string) =>
      api.database.pool.query(
        `update api_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id = $1`,
        [id],
      );
    const old = (await create({ name: 'Nightly' })).json;
    expect((await create({ name: 'nightly' })).json.code).toBe('name_taken');
    await expire(old.id);
    const heir = await create({ name: 'nightly' });
    expect(heir.status).toBe(201);
    await expire(heir.json.id);
    const third = (await create({ name: 'third' })).json;
    const renamed = await ada.session('PATCH', `${tokens}/${third.id}`, { body: { name: 'NIGHTLY' } });
    expect(renamed).toMatchObject({ status: 200, json: { name: 'NIGHTLY' } });
    for (const id of [old.id, heir.json.id]) {
      expect((await ada.session('GET', `${tokens}/${id}`)).json.status).toBe('expired');
    }
    expect((await create({ name: 'Nightly' })).json.code).toBe('name_taken');
  });

  test('a token is renamed and narrowed, and never widened', async () => {
    const { id } = (
      await create({
        scopes: ['secrets:read', 'secrets:write'],
        environments: ['dev', 'prod'],
        ip_allow: ['127.0.0.0/8', '10.0.0.0/8'],
      })
    ).json;
    const patch = (body: unknown) => ada.session('PATCH', `${tokens}/${id}`, { body });
    const narrowed = await patch({
      name: 'less',
      scopes: ['secrets:list'],
      environments: ['dev'],
      ip_allow: ['10.1.0.0/16'],
    });
    expect(narrowed.json).toMatchObject({
      name: 'less',
      scopes: ['secrets:list'],
      environments: ['dev'],
      ip_allow: ['10.1.0.0/16'],
    });
    for (const body of [
      { scopes: ['secrets:read'] },
      { environments: ['prod'] },
      { ip_allow: ['10.0.0.0/8'] },
      { ip_allow: ['0.0.0.0/0'] },
    ]) {
      expect((await patch(body)).json.errors[0].code).toBe('would_widen');
    }
  });

  test('works from the allowed addresses only', async () => {
    const here = (await create({ ip_allow: ['127.0.0.0/8'] })).json;
    const elsewhere = (await create({ name: 'away', ip_allow: ['10.0.0.0/8', '2001:db8::/32'] })).json;
    expect((await whoami(here.token)).status).toBe(200);
    expect(await whoami(elsewhere.token)).toMatchObject({ status: 403, json: { code: 'ip_not_allowed' } });
  });

  test('its last use is noted after the reply, at most once a minute', async () => {
    const { id, token } = (await create()).json;
    for (let n = 0; n < 3; n += 1) await whoami(token);
    await api.domain.tokenUsage.settled();
    const { json } = await ada.session('GET', `${tokens}/${id}`);
    expect(json).toMatchObject({ last_used_ip: '127.0.0.1', use_count: 1 });
    expect(json.last_used_user_agent).toBe('node');
  });

  test('can revoke itself, and everything can be revoked at once', async () => {
    const one = (await create()).json;
    expect((await api.anonymous('DELETE', '/api/secrets/token', bearer(one.token))).status).toBe(204);
    expect((await whoami(one.token)).status).toBe(401);
    const two = (await create()).json;
    await create({ name: 'three' });
    expect((await ada.session('POST', `${tokens}/revoke-all`)).json).toEqual({ revoked: 2 });
    expect((await whoami(two.token)).status).toBe(401);
  });

  test('of a disabled account opens nothing', async () => {
    const { token } = (await create()).json;
    await api.database.pool.query('update users set disabled_at = now() where id = $1', [ada.id]);
    expect((await whoami(token)).status).toBe(401);
  });

  test('in a query string is ignored; beside a session the token alone counts', async () => {
    const { token } = (await create({ scopes: ['audit:read'] })).json;
    expect((await api.anonymous('GET', `/api/secrets/token?access_token=${token}`)).status).toBe(401);
    expect((await ada.session('GET', '/api/secrets/vaults', bearer(token))).status).toBe(403);
    expect((await ada.session('GET', '/api/secrets/vaults', bearer('nonsense'))).status).toBe(401);
  });
});

describe('introspection', () => {
  const ask = (call: ApiUser['session'], token: string) =>
    call('POST', '/api/secrets/introspect', {
      body: new URLSearchParams({ token }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  test('says of a live token of the same account what it may, in the shape of RFC 7662', async () => {
    const made = (await create()).json;
    const asking = await ada.token(['tokens:read']);
    const { json } = await ask(asking, made.token);
    expect(json).toEqual({
      active: true,
      scope: 'vaults:read secrets:list secrets:read',
      client_id: made.id,
      username: 'ci',
      token_type: 'Bearer',
      iat: Math.floor(Date.parse(made.created_at) / 1000),
      exp: Math.floor(Date.parse(made.expires_at) / 1000),
      sub: ada.id,
      jti: made.id,
    });
  });

  test('says of any other only that it is not active', async () => {
    const made = (await create()).json;
    const eve = await api.user('Eve');
    const spy = await eve.token(['tokens:read']);
    expect((await ask(spy, made.token)).json).toEqual({ active: false });
    expect((await ask(spy, 'nonsense')).json).toEqual({ active: false });
    await ada.session('DELETE', `${tokens}/${made.id}`);
    const own = await ada.token(['tokens:read']);
    expect((await ask(own, made.token)).json).toEqual({ active: false });
    const weak = await ada.token(['secrets:read']);
    expect((await ask(weak, made.token)).status).toBe(403);
  });
});

test('the scopes are described in plain words for whoever makes a form', async () => {
  const { json } = await ada.session('GET', '/api/secrets/scopes');
  const read = json.scopes.find((scope: { name: string }) => scope.name === 'secrets:read');
  expect(read).toMatchObject({ implies: ['vaults:read', 'secrets:list'] });
  expect(json.presets.map((preset: { id: string }) => preset.id)).toContain('deploy');
  expect((await api.anonymous('GET', '/api/secrets/scopes')).status).toBe(401);
});

test('someone else’s tokens are not there', async () => {
  const { id } = (await create()).json;
  const eve = await api.user('Eve');
  expect((await eve.session('GET', tokens)).json).toEqual([]);
  expect((await eve.session('GET', `${tokens}/${id}`)).status).toBe(404);
  expect((await eve.session('DELETE', `${tokens}/${id}`)).status).toBe(404);
  expect((await eve.session('POST', `${tokens}/${id}/rotate`)).status).toBe(404);
});
