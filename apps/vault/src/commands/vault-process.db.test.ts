import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys, type TestUser } from '../../test/domain.js';
import { runCli, startVaultProcess, type VaultProcess } from '../../test/vault-process.js';
import type { Domain } from '../compose-domain.js';
import { makeMasterKey, parseMasterKey, printMasterKey } from '../crypto/master-key.js';

let database: TestDatabase;
let folder: string;
let running: VaultProcess | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'vault-process-'));
}, 60_000);

afterEach(async () => {
  await running?.kill('SIGKILL');
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

const settings = (change: NodeJS.ProcessEnv) => ({
  DATABASE_URL: database.url,
  HEARTH_DATA: folder,
  HEARTH_LOG_FORMAT: 'json',
  HEARTH_VAULT_RATE_LIMITS: 'false',
  ...change,
});

async function accountWithToken(domain: Domain): Promise<{ user: TestUser; value: string }> {
  const user = await createTestUser(database.db, domain);
  const { value } = await domain.tokens.create(user.caller, {
    name: 'all',
    scopes: ['secrets:read', 'secrets:write', 'vaults:write'],
    expiresInDays: 1,
    vaultIds: null,
    environments: null,
    ipAllow: null,
  });
  return { user, value };
}

const caller = (vault: VaultProcess, token: string) => (method: string, address: string, body?: unknown) =>
  fetch(vault.url + address, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test('kill -9 in the middle of writes loses nothing that was acknowledged', async () => {
  const key = makeMasterKey();
  const domain = await createTestDomain(database.db, fixedKeys(key));
  const { user, value: token } = await accountWithToken(domain);
  running = await startVaultProcess(settings({ VAULT_MASTER_KEY: printMasterKey(key) }));
  const call = caller(running, token);
  const secrets = `/api/secrets/vaults/${user.personalVault.id}/secrets`;

  const acknowledged = new Map<string, string>();
  let enough: () => void = () => undefined;
  const killTime = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; ; n += 1) {
      const [name, value] = [`KEY_${writer}_${n % 7}`, `value ${writer} ${n}`];
      try {
        const reply = await call('PUT', `${secrets}/${name}?env=dev`, { value });
        if (!reply.ok) return;
        await reply.text();
      } catch {
        return;
      }
      acknowledged.set(name, value);
      if (n === 15) enough();
    }
  });
  await killTime;
  await running.kill('SIGKILL');
  await Promise.all(writers);

  expect(acknowledged.size).toBeGreaterThan(10);
  for (const [name, expected] of acknowledged) {
    const place = { vaultId: user.personalVault.id, environment: 'dev', path: '/', key: name };
    const { value } = await domain.secrets.read(user.caller, place);
    const [, number] = /(\d+)$/.exec(value.bytes.toString()) as unknown as [string, string];
    // One write may have been committed whose answer never arrived.
    expect(Number(number)).toBeGreaterThanOrEqual(Number(/(\d+)$/.exec(expected)?.[1]));
  }
  expect((await domain.audit.verify(user.id)).valid).toBe(true);
}, 90_000);

test('a wrong master key stops the start with one line and no stack', async () => {
  await createTestDomain(database.db);
  const result = await runCli(['serve', '--port', '0'], {
    env: settings({ VAULT_MASTER_KEY: printMasterKey(makeMasterKey()) }),
  });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/^hearth-vault: wrong master key: [^\n]+\n$/);
  const none = await runCli(['serve', '--port', '0'], { env: settings({}) });
  expect(none.stderr).toMatch(/^hearth-vault: no master key: [^\n]+\n$/);
}, 60_000);

test('rotate-key changes the key file under a running vault, which goes on reading and writing', async () => {
  const file = path.join(folder, 'key');
  const old = makeMasterKey();
  writeFileSync(file, `${printMasterKey(old)}\n`);
  const env = settings({ VAULT_MASTER_KEY_FILE: file });
  const { user, value: token } = await accountWithToken(await createTestDomain(database.db, fixedKeys(old)));
  running = await startVaultProcess(env);
  const call = caller(running, token);
  const secret = `/api/secrets/vaults/${user.personalVault.id}/secrets/KEY?env=dev`;
  expect((await call('PUT', secret, { value: 'before' })).status).toBe(201);

  const rotated = await runCli(['rotate-key'], { env });
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(rotated.stdout).toMatch(/^1 data keys are now wrapped by mk_/);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(parseMasterKey(lines[0] as string).equals(old)).toBe(false);

  expect(((await (await call('GET', secret)).json()) as { value: string }).value).toBe('before');
  expect((await call('PUT', secret, { value: 'after' })).status).toBe(200);
  const made = await call('POST', '/api/secrets/vaults', { name: 'made after' });
  expect(made.status).toBe(201);
  const { rows } = await database.pool.query('select distinct master_key_id from vault_keys');
  expect(rows).toHaveLength(1);
  await running.kill('SIGTERM');
  expect(running.output()).not.toContain(lines[0]);
}, 90_000);

test('rotate-data-keys seals everything anew beside a running vault, and a vault that is not there is one line', async () => {
  const file = path.join(folder, 'key');
  const key = makeMasterKey();
  writeFileSync(file, `${printMasterKey(key)}\n`);
  const env = settings({ VAULT_MASTER_KEY_FILE: file });
  const { user, value: token } = await accountWithToken(await createTestDomain(database.db, fixedKeys(key)));
  running = await startVaultProcess(env);
  const call = caller(running, token);
  const secret = `/api/secrets/vaults/${user.personalVault.id}/secrets/KEY?env=dev`;
  expect((await call('PUT', secret, { value: 'before' })).status).toBe(201);
  const rotated = await runCli(['rotate-data-keys', '--vault', user.personalVault.id], { env });
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(rotated.stdout).toMatch(
    /^1 values of 1 vault are sealed under new data keys, and 1 old key is destroyed/,
  );
  expect(((await (await call('GET', secret)).json()) as { value: string }).value).toBe('before');
  expect((await call('PUT', secret, { value: 'after' })).status).toBe(200);
  const nobody = await runCli(['rotate-data-keys', '--vault', crypto.randomUUID()], { env });
  expect(nobody).toMatchObject({ code: 1, stderr: 'hearth-vault: there is no vault of that id\n' });
  await running.kill('SIGTERM');
}, 90_000);

test('backup and restore, from the command line, into a fresh database', async () => {
  const key = makeMasterKey();
  const domain = await createTestDomain(database.db, fixedKeys(key));
  const { user } = await accountWithToken(domain);
  const place = { vaultId: user.personalVault.id, environment: 'dev', path: '/', key: 'KEY' };
  await domain.secrets.put(
    user.caller,
    place,
    { bytes: Buffer.from('kept'), encoding: 'utf8' },
    {},
    { kind: 'none' },
  );
  const file = path.join(folder, 'vault.backup');
  const env = settings({ VAULT_MASTER_KEY: printMasterKey(key) });
  const backup = await runCli(['backup', file], { env });
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toContain('1 vaults, 1 secrets');

  const fresh = await createTestDatabase({ migrated: false });
  try {
    const restored = await runCli(['restore', file], { env: { ...env, DATABASE_URL: fresh.url } });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const again = await createTestDomain(fresh.db, fixedKeys(key));
    expect((await again.secrets.read(user.caller, place)).value.bytes.toString()).toBe('kept');
    const twice = await runCli(['restore', file], { env: { ...env, DATABASE_URL: fresh.url } });
    expect(twice).toMatchObject({ code: 1 });
    expect(twice.stderr).toMatch(/^hearth-vault: .*already holds data[^\n]*\n$/);
  } finally {
    await fresh.close();
  }
}, 90_000);
