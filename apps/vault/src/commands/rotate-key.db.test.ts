import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys, silentLogger } from '../../test/domain.js';
import { masterKeySettings } from '../../test/master-key-settings.js';
import { runCli } from '../../test/vault-process.js';
import { systemUserId } from '../audit/system-event.js';
import type { Domain } from '../compose-domain.js';
import { deriveKeys } from '../crypto/derive-keys.js';
import { type MasterKey, makeMasterKey, parseMasterKey, printMasterKey } from '../crypto/master-key.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';
import { rotatedKeyFile } from '../keys/rotated-key-file.js';

let database: TestDatabase;
let folder: string;
const old = makeMasterKey();

beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'vault-rotate-'));
  const domain = await createTestDomain(database.db, fixedKeys(old));
  for (let n = 0; n < 3; n += 1) await createTestUser(database.db, domain);
}, 60_000);

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

const rotate = (env: NodeJS.ProcessEnv) =>
  runCli(['rotate-key'], { env: { DATABASE_URL: database.url, HEARTH_DATA: folder, ...env } });

/** What the log of the installation says of rotations; its chain must hold. */
async function recorded(key: MasterKey): Promise<unknown[]> {
  const { audit } = await createTestDomain(database.db, fixedKeys(key));
  expect((await audit.verify(systemUserId)).valid).toBe(true);
  const events = await audit.page(systemUserId, { action: 'key.rotate_master' }, undefined, 10);
  return events.map(({ actor, outcome, meta }) => ({ by: actor.label, outcome, ...meta }));
}

const event = (key: MasterKey, rewrapped: number) => ({
  by: 'hearth-vault',
  outcome: 'success',
  master_key_id: deriveKeys(key).id,
  rewrapped,
});

test('every rotation of a key file is recorded once, with the new key and the count', async () => {
  const file = path.join(folder, 'key');
  writeFileSync(file, printMasterKey(old));
  const inFile = () => parseMasterKey(readFileSync(file, 'utf8'));
  expect(await rotate({ VAULT_MASTER_KEY_FILE: file })).toMatchObject({ code: 0, stderr: '' });
  const first = inFile();
  expect(await recorded(first)).toEqual([event(first, 3)]);
  expect(await rotate({ VAULT_MASTER_KEY_FILE: file })).toMatchObject({ code: 0, stderr: '' });
  const second = inFile();
  expect(await recorded(second)).toEqual([event(second, 3), event(first, 3)]);
}, 60_000);

test('with keys from the environment, a run that finds nothing to do is not recorded', async () => {
  const fresh = makeMasterKey();
  const env = { VAULT_MASTER_KEY: printMasterKey(fresh), VAULT_MASTER_KEYS_RETIRED: printMasterKey(old) };
  expect(await rotate(env)).toMatchObject({ code: 0, stderr: '' });
  expect(await rotate(env)).toMatchObject({ code: 0, stderr: '' });
  expect(await recorded(fresh)).toEqual([event(fresh, 3)]);
}, 60_000);

test('rotations that run at once lose no key, whichever of them has to give way', async () => {
  const file = path.join(folder, 'key');
  writeFileSync(file, printMasterKey(old));
  const env = { VAULT_MASTER_KEY_FILE: file };
  const results = await Promise.all([rotate(env), rotate(env), rotate(env)]);
  for (const { code, stderr } of results) {
    if (code !== 0) expect(stderr).toMatch(/^hearth-vault: another rotate-key is running [^\n]*\n$/);
  }
  expect(results.some(({ code }) => code === 0)).toBe(true);
  expect(await rotate(env)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^3 data/) });
  const left = parseMasterKey(readFileSync(file, 'utf8'));
  expect((await recorded(left))[0]).toEqual(event(left, 3));
}, 90_000);

test('one rotation of a database runs at a time', async () => {
  const domain = await createTestDomain(database.db, fixedKeys(old));
  let second: Promise<number> | undefined;
  const file = {
    addNewKey() {
      second = domain.masterKey.rotate(undefined);
      second.catch(() => undefined);
    },
    dropOldKeys: () => undefined,
  };
  await domain.masterKey.rotate(file);
  await expect(second).rejects.toThrow('another rotate-key is running on this database');
  expect(await domain.masterKey.rotate(undefined)).toBe(0);
}, 60_000);

test('a file that has got another new key meanwhile keeps all its keys', async () => {
  const file = path.join(folder, 'key');
  writeFileSync(file, printMasterKey(old));
  const masterKeys = loadMasterKeys(masterKeySettings(folder, { masterKeyFile: file }), silentLogger);
  const domain = await createTestDomain(database.db, masterKeys);
  const real = rotatedKeyFile(file, undefined);
  const [strange, all] = [makeMasterKey(), () => readFileSync(file, 'utf8')];
  const disturbed = {
    addNewKey: real.addNewKey,
    dropOldKeys(id: string) {
      writeFileSync(file, `${printMasterKey(strange)}\n${all()}`);
      real.dropOldKeys(id);
    },
  };
  await expect(domain.masterKey.rotate(disturbed)).rejects.toThrow(
    /has got another new key .*run rotate-key again$/,
  );
  expect(all().trim().split('\n')).toHaveLength(3);
  expect(await rotate({ VAULT_MASTER_KEY_FILE: file })).toMatchObject({ code: 0, stderr: '' });
  expect(parseMasterKey(all()).equals(strange)).toBe(true);
}, 60_000);

test('a vault that read the key file before a rotation does not make the old key active again', async () => {
  const file = path.join(folder, 'key');
  writeFileSync(file, printMasterKey(old));
  const settings = masterKeySettings(folder, { masterKeyFile: file });
  const readBefore = loadMasterKeys(settings, silentLogger);
  const rotating = await createTestDomain(database.db, loadMasterKeys(settings, silentLogger));
  const real = rotatedKeyFile(file, undefined);
  let started: Promise<Domain> | undefined;
  await rotating.masterKey.rotate({
    ...real,
    dropOldKeys(id) {
      real.dropOldKeys(id);
      started = createTestDomain(database.db, readBefore);
    },
  });
  const late = (await started) as Domain;
  expect(late.keys.current().active.id).toBe(rotating.keys.current().active.id);
  await createTestUser(database.db, late);
  expect(await rotate({ VAULT_MASTER_KEY_FILE: file })).toMatchObject({ code: 0, stderr: '' });
}, 60_000);
