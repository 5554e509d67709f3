import { beforeEach, expect, test } from '@jest/globals';
import { startTestApi } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';
import { systemEvent } from './system-event.js';

const audit = '/api/secrets/audit';

givenApi();

beforeEach(async () => {
  const secret = `${ada.vaultPath}/secrets/KEY?env=dev`;
  await ada.session('PUT', secret, { body: { value: 'the-value-itself' } });
  const token = await ada.token(['secrets:read'], { name: 'reader' });
  await token('GET', secret);
});

test('a change and a read are there, with who, what and from where, and without the value', async () => {
  const { json, text } = await ada.session('GET', audit);
  expect(json.map((event: { action: string }) => event.action)).toEqual([
    'secret.read',
    'token.create',
    'secret.create',
  ]);
  expect(json[0]).toMatchObject({
    actor: { kind: 'token', label: 'reader' },
    target: { kind: 'secret', label: 'KEY' },
    vault_id: ada.personalVault.id,
    ip: '127.0.0.1',
    user_agent: 'node',
    meta: { environment: 'dev', path: '/', version: 1 },
  });
  expect(text).not.toContain('the-value-itself');
});

test('the log of the installation is read and checked by operators in a session, and by nobody else', async () => {
  const vault = await startTestApi({ VAULT_OPERATORS: 'github:grace,github:id:8' });
  try {
    const [grace, eve] = [await vault.user('Grace'), await vault.user('Eve')];
    const link = async (userId: string, id: string, username: string) => {
      const { rows } = await vault.database.pool.query(
        "insert into identities (user_id, provider, provider_user_id, username) values ($1, 'github', $2, $3) returning id",
        [userId, id, username],
      );
      return rows[0].id as string;
    };
    const identityId = await link(grace.id, '7', 'grace');
    for (const rows of [1, 2, 3]) {
      await vault.domain.audit.recordAlone(systemEvent('backup.create', { rows }));
    }
    // By its name a login counts for the session that was opened with it, by its id for every one of the account.
    const installation = `${audit}?log=installation&limit=2`;
    expect((await grace.session('GET', installation)).status).toBe(403);
    expect((await grace.session('GET', '/api/sys/seal')).json.may_seal).toBe(false);
    const opened = 'update sessions set identity_id = $2 where user_id = $1';
    await vault.database.pool.query(opened, [grace.id, identityId]);
    expect((await grace.session('GET', '/api/sys/seal')).json.may_seal).toBe(true);
    const alan = await vault.user('Alan');
    await link(alan.id, '8', 'alan');
    expect((await alan.session('GET', installation)).status).toBe(200);

    const first = await grace.session('GET', installation);
    expect(first.json.map(({ meta }: { meta: { rows: number } }) => meta.rows)).toEqual([3, 2]);
    const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] as string;
    expect((await grace.session('GET', next)).json).toMatchObject([
      { actor: { kind: 'system' }, meta: { rows: 1 } },
    ]);
    const file = await grace.session('GET', `${audit}/export.ndjson?log=installation`);
    expect(file.text.trim().split('\n')).toHaveLength(3);
    expect((await grace.session('GET', `${audit}/verify?log=installation`)).json).toMatchObject({
      valid: true,
      events: 3,
    });
    expect((await grace.session('GET', `${audit}?action=backup.*`)).json).toEqual([]);

    const token = await grace.token(['audit:read']);
    for (const call of [eve.session, token]) {
      for (const path of ['', '/export.ndjson', '/verify']) {
        expect((await call('GET', `${audit}${path}?log=installation`)).status).toBe(403);
      }
    }
    expect((await eve.session('GET', `${audit}?log=others`)).status).toBe(422);
  } finally {
    await vault.close();
  }
}, 60_000);

test('is filtered, paged by cursor, and exported line by line', async () => {
  const reads = await ada.session('GET', `${audit}?action=secret.read`);
  expect(reads.json).toHaveLength(1);
  const groups = await ada.session('GET', `${audit}?action=secret.*&limit=1`);
  const next = /^<([^>]+)>/.exec(groups.headers.get('link') ?? '')?.[1] as string;
  expect((await ada.session('GET', next)).json.map((event: { action: string }) => event.action)).toEqual([
    'secret.create',
  ]);
  const file = await ada.session('GET', `${audit}/export.ndjson?action=secret.*`);
  expect(file.headers.get('content-type')).toBe('application/x-ndjson');
  expect(
    file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).action),
  ).toEqual(['secret.read', 'secret.create']);
  expect((await ada.session('GET', `${audit}?from=yesterday`)).status).toBe(422);
});

test('its chain is checked on request', async () => {
  const { json } = await ada.session('GET', `${audit}/verify`);
  const [newest] = (await ada.session('GET', audit)).json;
  expect(json).toEqual({ valid: true, events: 3, first_broken_id: null, head: newest.hash });
});

test('needs its scope, and shows nobody else’s events', async () => {
  const token = await ada.token(['secrets:read']);
  for (const path of ['', '/verify', '/export.ndjson'])
    expect((await token('GET', audit + path)).status).toBe(403);
  const eve = await api.user('Eve');
  expect((await eve.session('GET', audit)).json).toEqual([]);
});

test('where the log cannot be written, no value is given out and no change is made', async () => {
  await api.database.pool.query('alter table audit_events rename to audit_events_away');
  try {
    const secret = `${ada.vaultPath}/secrets/KEY?env=dev`;
    const read = await ada.session('GET', secret);
    expect(read).toMatchObject({ status: 503, json: { code: 'audit_unavailable' } });
    expect(read.text).not.toContain('the-value-itself');
    expect((await ada.session('GET', `${ada.vaultPath}/secrets?include=values`)).status).toBe(503);
    expect((await ada.session('PUT', secret, { body: { value: 'other' } })).status).toBe(500);
  } finally {
    await api.database.pool.query('alter table audit_events_away rename to audit_events');
  }
  expect((await ada.session('GET', `${ada.vaultPath}/secrets/KEY?env=dev`)).json).toMatchObject({
    value: 'the-value-itself',
    version: 1,
  });
});
