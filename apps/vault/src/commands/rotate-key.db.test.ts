import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys } from '../../test/domain.js';
import { runCli } from '../../test/vault-process.js';
import { systemUserId } from '../audit/system-event.js';
import { deriveKeys } from '../crypto/derive-keys.js';
import { type MasterKey, makeMasterKey, parseMasterKey, printMasterKey } from '../crypto/master-key.js';

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
