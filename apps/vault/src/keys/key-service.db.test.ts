import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys, silentLogger } from '../../test/domain.js';
import { composeDomain } from '../compose-domain.js';
import { makeMasterKey } from '../crypto/master-key.js';
import type { MasterKeySource } from './load-master-keys.js';
import { createKeyring } from './master-keyring.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
}, 60_000);

afterEach(() => database.close());

const sealingKey = (domain: Awaited<ReturnType<typeof createTestDomain>>, vaultId: string) =>
  domain.inTransaction((transaction) => domain.keys.sealingKey(transaction, vaultId, 1));

test('a wrong master key stops the start with one line that names neither key', async () => {
  const right = makeMasterKey();
  await createTestDomain(database.db, fixedKeys(right));
  const wrong = makeMasterKey();
  const start = composeDomain({
    db: database.db,
    masterKeys: fixedKeys(wrong),
    logger: silentLogger,
  }).keys.prepare();
  await expect(start).rejects.toThrow(/^wrong master key: .* mk_[0-9a-f]{16}, .* mk_[0-9a-f]{16}$/);
  await expect(start).rejects.not.toThrow(right.toString('base64'));
  await expect(start).rejects.not.toThrow(wrong.toString('base64'));
});

test('rotation wraps every data key anew, and the keys themselves stay the same', async () => {
  const old = makeMasterKey();
  const before = await createTestDomain(database.db, fixedKeys(old));
  const users = [];
  for (let n = 0; n < 3; n += 1) users.push(await createTestUser(database.db, before));
  const dataKeys = await Promise.all(users.map((user) => sealingKey(before, user.personalVault.id)));

  const fresh = makeMasterKey();
  const after = await createTestDomain(database.db, fixedKeys(fresh, [old]));
  expect(await after.keys.rewrapAll()).toBe(3);
  expect(await after.keys.rewrapAll()).toBe(0);

  const alone = await createTestDomain(database.db, fixedKeys(fresh));
  for (const [index, user] of users.entries()) {
    const key = await sealingKey(alone, user.personalVault.id);
    expect(key.dataKey.equals(dataKeys[index]?.dataKey as Buffer)).toBe(true);
  }
  await expect(
    composeDomain({ db: database.db, masterKeys: fixedKeys(old), logger: silentLogger }).keys.prepare(),
  ).rejects.toThrow(/still sealed under|wrong master key/);
});

test('a start whose key lacks the one that vaults still need is refused', async () => {
  const old = makeMasterKey();
  await createTestUser(database.db, await createTestDomain(database.db, fixedKeys(old)));
  const fresh = makeMasterKey();
  await createTestDomain(database.db, fixedKeys(fresh, [old]));
  await expect(createTestDomain(database.db, fixedKeys(fresh))).rejects.toThrow(/VAULT_MASTER_KEYS_RETIRED/);
});

test('a running vault whose key file was rotated goes on, and never wraps with the old key again', async () => {
  const old = makeMasterKey();
  const fresh = makeMasterKey();
  let inFile = createKeyring(old, []);
  const source: MasterKeySource = { keyring: inFile, file: 'master.key', reload: () => inFile };
  const running = await createTestDomain(database.db, source);
  const user = await createTestUser(database.db, running);

  inFile = createKeyring(fresh, [old]);
  const rotation = await createTestDomain(database.db, fixedKeys(fresh, [old]));
  await rotation.keys.rewrapAll();
  inFile = createKeyring(fresh, []);

  await sealingKey(running, user.personalVault.id);
  await running.vaults.create(user.caller, 'after rotation');
  const { rows } = await database.pool.query('select distinct master_key_id as id from vault_keys');
  expect(rows).toEqual([{ id: inFile.active.id }]);
});

test('two vaults that start on an empty database agree on one key', async () => {
  const key = makeMasterKey();
  await Promise.all([1, 2, 3, 4].map(() => createTestDomain(database.db, fixedKeys(key))));
  const { rows } = await database.pool.query('select state from master_keys');
  expect(rows).toEqual([{ state: 'active' }]);
});
