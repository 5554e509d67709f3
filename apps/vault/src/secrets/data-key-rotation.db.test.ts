import { expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../test/given-api.js';
import { createSecretSealer } from './secret-sealer.js';
import { createVersionRepository } from './version-repository.js';

givenApi();

const put = (key: string, value: string) =>
  ada.session('PUT', `${ada.vaultPath}/secrets/${key}?env=dev`, { body: { value } });

const readValue = async (key: string, version?: number) => {
  const rest = version === undefined ? '' : `/versions/${version}`;
  return (await ada.session('GET', `${ada.vaultPath}/secrets/${key}${rest}?env=dev`)).json.value;
};

/** The data keys of the personal vault, oldest first. */
async function keyRows(): Promise<{ state: string; gone: boolean; values: number }[]> {
  const { rows } = await api.database.pool.query(
    `select k.state, k.wrapped is null as gone, count(v.ciphertext)::int as values
     from vault_keys k left join secret_versions v on v.vault_key_id = k.id
     where k.vault_id = $1 group by k.id order by k.version`,
    [ada.personalVault.id],
  );
  return rows;
}

async function ciphertexts(): Promise<string[]> {
  const { rows } = await api.database.pool.query(
    `select encode(v.ciphertext, 'hex') || encode(v.value_mac, 'hex') as text
     from secret_versions v join secrets s on s.id = v.secret_id where s.vault_id = $1 and v.ciphertext is not null`,
    [ada.personalVault.id],
  );
  return rows.map(({ text }) => text);
}

test('every value opens as before under a new key, and the old key is gone', async () => {
  const many = Array.from({ length: 250 }, (_, n) => `KEY_${n}=value ${n}`).join('\n');
  await ada.session('POST', `${ada.vaultPath}/import?env=dev`, {
    body: many,
    headers: { 'content-type': 'text/plain' },
  });
  for (const value of ['first', 'second', 'third']) await put('CHANGED', value);
  await put('TRASHED', 'in the trash');
  await ada.session('DELETE', `${ada.vaultPath}/secrets/TRASHED?env=dev`);
  const before = await ciphertexts();
  expect(before).toHaveLength(254);

  const rotated = await api.domain.dataKeys.rotate(ada.personalVault.id);
  expect(rotated).toEqual({ vaults: 1, values: 254, destroyed: 1 });
  expect(await keyRows()).toEqual([
    { state: 'destroyed', gone: true, values: 0 },
    { state: 'active', gone: false, values: 254 },
  ]);
  const after = await ciphertexts();
  expect(after).toHaveLength(254);
  expect(after.filter((text) => before.includes(text))).toEqual([]);

  const list = await ada.session('GET', `${ada.vaultPath}/secrets?env=dev&include=values&limit=200`);
  for (const { key, value } of list.json) {
    if (key !== 'CHANGED') expect(`${key}=${value}`).toBe(`${key}=value ${key.slice(4)}`);
  }
  expect([await readValue('CHANGED', 1), await readValue('CHANGED', 2), await readValue('CHANGED')]).toEqual([
    'first',
    'second',
    'third',
  ]);
  await ada.session('POST', `${ada.vaultPath}/secrets/TRASHED/restore?env=dev`);
  expect(await readValue('TRASHED')).toBe('in the trash');
  // A value that is written again is still known to be the same.
  expect((await put('CHANGED', 'third')).json).toMatchObject({ changed: false, version: 3 });

  const audit = await ada.session('GET', '/api/secrets/audit?action=key.rotate_data');
  expect(audit.json).toMatchObject([{ actor: { kind: 'system' }, meta: { key_version: 2 } }]);
  expect((await ada.session('GET', '/api/secrets/audit/verify')).json.valid).toBe(true);
}, 60_000);

test('readers and writers go on while keys change under them, and nothing is lost', async () => {
  await put('READ', 'always the same');
  for (let n = 0; n < 150; n += 1) await put(`FILL_${n}`, 'x');
  let done = false;
  let reads = 0;
  const reader = async () => {
    while (!done) {
      expect(await readValue('READ')).toBe('always the same');
      reads += 1;
    }
  };
  const written: string[] = [];
  const writer = async (name: string) => {
    for (let n = 0; !done; n += 1) {
      expect([200, 201]).toContain((await put(`W_${name}`, `${name} ${n}`)).status);
      written.push(`${name} ${n}`);
    }
  };
  const rotations = async () => {
    for (let n = 0; n < 3; n += 1) await api.domain.dataKeys.rotate(ada.personalVault.id);
    done = true;
  };
  await Promise.all([reader(), reader(), writer('a'), writer('b'), rotations()]);
  expect(reads).toBeGreaterThan(0);
  for (const name of ['a', 'b']) {
    expect(await readValue(`W_${name}`)).toBe(written.filter((value) => value.startsWith(name)).at(-1));
  }
  const keys = await keyRows();
  expect(keys.map(({ state }) => state)).toEqual(['destroyed', 'destroyed', 'destroyed', 'active']);
  expect(keys.slice(0, 3).every(({ gone, values }) => gone && values === 0)).toBe(true);
}, 120_000);

test('a reader that has looked at a value, and finds its key wiped, looks again', async () => {
  await put('KEY', 'read in between');
  const versions = createVersionRepository(api.database.db);
  const sealer = createSecretSealer({ keys: api.domain.keys, versions });
  const { id } = (await ada.session('GET', `${ada.vaultPath}/secrets/KEY?env=dev`)).json;
  const seen = await versions.list(id, undefined, 1);
  await api.domain.dataKeys.rotate(ada.personalVault.id);
  const [value] = await sealer.openAll(ada.personalVault.id, seen);
  expect(value?.bytes.toString()).toBe('read in between');
});

test('a rotation that was cut short leaves everything readable, and the next one finishes it', async () => {
  await put('KEY', 'kept');
  await api.domain.inTransaction((transaction) =>
    api.domain.keys.replaceVaultKey(transaction, ada.personalVault.id),
  );
  await put('NEW', 'under the second key');
  expect(await readValue('KEY')).toBe('kept');
  expect((await keyRows()).map(({ state }) => state)).toEqual(['decrypt_only', 'active']);
  await api.domain.inTransaction((transaction) =>
    api.domain.keys.destroyUnusedKeys(transaction, ada.personalVault.id),
  );
  expect(await readValue('KEY')).toBe('kept');
  await api.domain.dataKeys.rotate(ada.personalVault.id);
  expect([await readValue('KEY'), await readValue('NEW')]).toEqual(['kept', 'under the second key']);
  expect((await keyRows()).map(({ state }) => state)).toEqual(['destroyed', 'destroyed', 'active']);
});

test('what was destroyed stays destroyed, and other vaults keep their keys', async () => {
  await put('KEY', 'old');
  await put('KEY', 'new');
  await api.database.pool.query(
    `update secret_versions v set ciphertext = null, value_mac = null, destroyed_at = now()
     from secrets s where s.id = v.secret_id and s.vault_id = $1 and v.version = 1`,
    [ada.personalVault.id],
  );
  const other = (await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Other' } })).json;
  const keyOf = async () =>
    (
      await api.database.pool.query('select id, version, wrapped from vault_keys where vault_id = $1', [
        other.id,
      ])
    ).rows;
  const before = await keyOf();
  expect(await api.domain.dataKeys.rotate(ada.personalVault.id)).toEqual({
    vaults: 1,
    values: 1,
    destroyed: 1,
  });
  const gone = await ada.session('GET', `${ada.vaultPath}/secrets/KEY/versions/1?env=dev`);
  expect(gone.status).toBe(410);
  expect(await keyOf()).toEqual(before);
  expect((await api.domain.dataKeys.rotate()).vaults).toBeGreaterThan(1);
  expect((await keyOf()).map(({ version }) => version)).toEqual(expect.arrayContaining([2]));
});
