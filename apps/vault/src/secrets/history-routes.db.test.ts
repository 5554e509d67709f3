import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ageSession } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';

let secret: string;
const at = '?env=dev';

givenApi();

beforeEach(async () => {
  secret = `${ada.vaultPath}/secrets/KEY`;
  for (const value of ['one', 'two', 'three']) await ada.session('PUT', secret + at, { body: { value } });
});

describe('versions', () => {
  test('are listed without values, newest first, with who wrote each', async () => {
    const token = await ada.token(['versions:read']);
    const { json } = await token('GET', `${secret}/versions${at}`);
    expect(json.map((version: { version: number }) => version.version)).toEqual([3, 2, 1]);
    expect(json[0]).toMatchObject({
      is_current: true,
      source: 'write',
      created_by: { kind: 'user', id: ada.id },
    });
    expect(JSON.stringify(json)).not.toContain('value');
    expect((await token('GET', `${secret}/versions/1${at}`)).status).toBe(403);
    const page = await token('GET', `${secret}/versions${at}&limit=2`);
    const next = /^<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] as string;
    expect((await token('GET', next)).json.map((version: { version: number }) => version.version)).toEqual([
      1,
    ]);
  });

  test('are read by number, by either address', async () => {
    expect((await ada.session('GET', `${secret}/versions/1${at}`)).json.value).toBe('one');
    expect((await ada.session('GET', `${secret}${at}&version=2`)).json).toMatchObject({
      value: 'two',
      version: 2,
    });
    expect((await ada.session('GET', `${secret}/versions/9${at}`)).status).toBe(404);
  });

  test('a rollback makes a new version, by someone who cannot read any', async () => {
    const token = await ada.token(['secrets:rollback']);
    const reply = await token('POST', `${secret}/rollback${at}`, { body: { version: 1 } });
    expect(reply).toMatchObject({ status: 200, json: { version: 4, changed: true } });
    expect(reply.text).not.toContain('one');
    expect((await token('GET', secret + at)).status).toBe(403);
    const read = await ada.session('GET', secret + at);
    expect(read.json.value).toBe('one');
    const [newest] = (await ada.session('GET', `${secret}/versions${at}`)).json;
    expect(newest).toMatchObject({ source: 'rollback', restored_from: 1, created_by: { kind: 'token' } });
  });

  test('a rollback respects If-Match, and one to the present value changes nothing', async () => {
    const stale = await ada.session('POST', `${secret}/rollback${at}`, {
      body: { version: 1 },
      headers: { 'if-match': '"2"' },
    });
    expect(stale.status).toBe(412);
    const same = await ada.session('POST', `${secret}/rollback${at}`, { body: { version: 3 } });
    expect(same.json).toMatchObject({ version: 3, changed: false });
  });

  test('a destroyed version is gone from the database and says so', async () => {
    expect((await ada.session('DELETE', `${secret}/versions/3${at}`)).status).toBe(409);
    expect((await ada.session('DELETE', `${secret}/versions/1${at}`)).status).toBe(204);
    const gone = await ada.session('GET', `${secret}/versions/1${at}`);
    expect(gone).toMatchObject({ status: 410, json: { code: 'version_destroyed' } });
    expect((await ada.session('POST', `${secret}/rollback${at}`, { body: { version: 1 } })).status).toBe(410);
    const { rows } = await api.database.pool.query(
      'select v.ciphertext, v.value_mac from secret_versions v join secrets s on s.id = v.secret_id where s.vault_id = $1 and v.version = 1',
      [ada.personalVault.id],
    );
    expect(rows).toEqual([{ ciphertext: null, value_mac: null }]);
  });

  test('only the newest hundred are kept', async () => {
    await api.database.pool.query(
      `insert into secret_versions (secret_id, version, vault_key_id, ciphertext, value_mac, created_by_kind)
       select v.secret_id, n, v.vault_key_id, v.ciphertext, v.value_mac, 'system'
       from secret_versions v join secrets s on s.id = v.secret_id, generate_series(4, 100) n
       where s.vault_id = $1 and v.version = 1`,
      [ada.personalVault.id],
    );
    await api.database.pool.query('update secrets set current_version = 100 where vault_id = $1', [
      ada.personalVault.id,
    ]);
    for (const value of ['101', '102', '103']) await ada.session('PUT', secret + at, { body: { value } });
    const { rows } = await api.database.pool.query(
      'select min(version) as oldest, count(*)::int as kept from secret_versions v join secrets s on s.id = v.secret_id where s.vault_id = $1',
      [ada.personalVault.id],
    );
    expect(rows).toEqual([{ oldest: 4, kept: vaultLimits.versionsKept }]);
  }, 60_000);
});

const emptyTrash = async () => {
  for (const task of Object.values(api.domain.housekeeping)) await task();
};

describe('the trash', () => {
  test('keeps a deleted secret with its history until it is restored', async () => {
    const token = await ada.token(['secrets:delete', 'secrets:read']);
    expect((await token('DELETE', secret + at)).status).toBe(204);
    expect((await token('GET', secret + at)).status).toBe(404);
    expect((await token('DELETE', secret + at)).status).toBe(404);
    const trash = await token('GET', `${ada.vaultPath}/secrets?trash=true`);
    expect(trash.json).toMatchObject([{ key: 'KEY', version: 3 }]);
    expect(trash.json[0].deleted_at).toBeDefined();
    expect((await token('POST', `${secret}/restore${at}`)).json).toMatchObject({ version: 3 });
    expect((await token('GET', secret + at)).json.value).toBe('three');
    expect((await token('POST', `${secret}/restore${at}`)).status).toBe(404);
  });

  test('a name is free again at once, and then a restore is refused', async () => {
    await ada.session('DELETE', secret + at);
    expect((await ada.session('PUT', secret + at, { body: { value: 'new' } })).json.version).toBe(1);
    expect((await ada.session('POST', `${secret}/restore${at}`)).json.code).toBe('key_taken');
  });

  test('a delete respects If-Match', async () => {
    const stale = await ada.session('DELETE', secret + at, { headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect((await ada.session('DELETE', secret + at, { headers: { 'if-match': '"3"' } })).status).toBe(204);
  });

  test('destroying needs a fresh session and the name typed again, and leaves no row', async () => {
    const token = await ada.token(['secrets:delete']);
    const destroy = `${secret}${at}&destroy=true`;
    expect((await token('DELETE', `${destroy}&confirm=KEY`)).status).toBe(403);
    expect((await ada.session('DELETE', destroy)).status).toBe(422);
    expect((await ada.session('DELETE', `${destroy}&confirm=key`)).status).toBe(422);
    const count = async () =>
      (
        await api.database.pool.query('select count(*)::int as n from secrets where vault_id = $1', [
          ada.personalVault.id,
        ])
      ).rows[0].n;
    await ada.session('DELETE', secret + at);
    await ada.session('PUT', secret + at, { body: { value: 'again' } });
    expect(await count()).toBe(2);
    expect((await ada.session('DELETE', `${destroy}&confirm=KEY`)).status).toBe(204);
    expect(await count()).toBe(0);
    await ada.session('PUT', secret + at, { body: { value: 'again' } });
    await ageSession(api, ada.id);
    expect((await ada.session('DELETE', `${destroy}&confirm=KEY`)).json.code).toBe(
      'reauthentication_required',
    );
  });

  test('is emptied after thirty days, vaults with their keys included', async () => {
    await ada.session('DELETE', secret + at);
    const other = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'old' } });
    await ada.session('DELETE', `/api/secrets/vaults/${other.json.id}`);
    await emptyTrash();
    const left = async () => {
      const { rows } = await api.database.pool.query(
        `select (select count(*)::int from secrets where vault_id = $1) as secrets,
                (select count(*)::int from vaults where id = $2) as vaults,
                (select count(*)::int from vault_keys where vault_id = $2) as keys`,
        [ada.personalVault.id, other.json.id],
      );
      return rows[0];
    };
    expect(await left()).toEqual({ secrets: 1, vaults: 1, keys: 1 });
    await api.database.pool.query(
      `update secrets set deleted_at = now() - interval '31 days' where deleted_at is not null`,
    );
    await api.database.pool.query(
      `update vaults set deleted_at = now() - interval '31 days' where deleted_at is not null`,
    );
    await emptyTrash();
    expect(await left()).toEqual({ secrets: 0, vaults: 0, keys: 0 });
  });
});
