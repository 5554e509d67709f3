import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys } from '../../test/domain.js';
import { runCli, startVaultProcess, type VaultProcess } from '../../test/vault-process.js';
import { makeMasterKey, parseMasterKey, printMasterKey } from '../crypto/master-key.js';
import { passphraseKeyFor } from '../crypto/passphrase-box.js';
import { makeKeyFile } from '../keys/master-key-file.js';

const key = makeMasterKey();
const [first, second] = ['the first long passphrase', 'the second long passphrase'];
let database: TestDatabase;
let folder: string;
let file: string;
let running: VaultProcess[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'vault-seal-key-'));
  file = path.join(folder, 'key');
  writeFileSync(file, `${printMasterKey(key)}\n`, { mode: 0o600 });
  for (const text of [first, second]) writeFileSync(path.join(folder, text), `${text}\n`);
}, 60_000);

afterEach(async () => {
  await Promise.all(running.map((vault) => vault.kill('SIGKILL')));
  running = [];
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

const env = (change: NodeJS.ProcessEnv = {}) => ({
  DATABASE_URL: database.url,
  HEARTH_DATA: folder,
  HEARTH_LOG_FORMAT: 'json',
  VAULT_MASTER_KEY_FILE: file,
  ...change,
});
const withPassphrase = (text: string) => ({ VAULT_MASTER_KEY_PASSPHRASE_FILE: path.join(folder, text) });
const sealKey = (
  args: readonly string[],
  input: string | Promise<string> = '',
  change: NodeJS.ProcessEnv = {},
) => runCli(['seal-key', ...args], { env: env(change), input });
const oneLine = (text: string) =>
  expect.stringMatching(new RegExp(`^hearth-vault: [^\\n]*${text}[^\\n]*\\n$`));

async function start(change: NodeJS.ProcessEnv = {}): Promise<VaultProcess> {
  const vault = await startVaultProcess(env(change));
  running.push(vault);
  return vault;
}

const stateOf = async (vault: VaultProcess) =>
  ((await (await fetch(`${vault.url}/readyz`)).json()) as { status: string }).status;
const unseal = async (vault: VaultProcess, passphrase: string) =>
  (
    await fetch(`${vault.url}/api/sys/unseal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ passphrase }),
    })
  ).status;

test('a passphrase is given, changed and taken away, and the key stays the same', async () => {
  const given = await sealKey(['--passphrase-file', '-'], first);
  expect(given).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('is now sealed by the'),
  });
  expect(readFileSync(file, 'utf8')).not.toContain(printMasterKey(key));
  const changed = await sealKey(['--passphrase-file', '-'], second, withPassphrase(first));
  expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('the new passphrase') });
  expect(await sealKey(['--remove'], '', withPassphrase(first))).toMatchObject({
    code: 1,
    stderr: oneLine('does not open the master key file'),
  });
  const removed = await sealKey(['--remove'], '', { VAULT_MASTER_KEY_PASSPHRASE: second });
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('in the clear') });
  expect(parseMasterKey(readFileSync(file, 'utf8')).equals(key)).toBe(true);
}, 90_000);

test('what cannot be done is one line, and the file stays as it is', async () => {
  const before = readFileSync(file, 'utf8');
  const results = await Promise.all([
    sealKey([]),
    sealKey(['--remove']),
    sealKey(['--remove', '--passphrase-file', '-'], first),
    sealKey(['--passphrase-file', '-'], 'too short'),
    sealKey(['--passphrase-file', '-'], first, { VAULT_MASTER_KEY_FILE: path.join(folder, 'none') }),
    sealKey(['--passphrase-file', '-'], first, {
      VAULT_MASTER_KEY_FILE: '',
      VAULT_MASTER_KEY: before.trim(),
    }),
    runCli(['migrate'], { env: env({ VAULT_MASTER_KEY_PASSPHRASE: first, ...withPassphrase(first) }) }),
  ]);
  expect(results.map(({ stderr }) => stderr)).toEqual([
    oneLine('with --passphrase-file'),
    oneLine('is not sealed'),
    oneLine('give no new one with it'),
    oneLine('too short'),
    oneLine('there is no master key file'),
    oneLine('VAULT_MASTER_KEY is not a file'),
    oneLine('set only one'),
  ]);
  expect(results.every(({ code, stdout }) => code === 1 && stdout === '')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(before);
}, 90_000);

test('standard input is read by one only, whatever a command would take from it', async () => {
  const fromStdin = env({ VAULT_MASTER_KEY_PASSPHRASE_FILE: '-' });
  const both = [
    ['seal-key', '--passphrase-file', '-'],
    ['backup', path.join(folder, 'backup'), '--passphrase-file', '-'],
    ['restore', '-'],
    ['restore', '-', '--passphrase-file', first],
    ['restore', 'backup', '--passphrase-file', '-'],
  ];
  const results = await Promise.all(both.map((args) => runCli(args, { env: fromStdin, input: first })));
  const refused = oneLine(
    'standard input holds either .* or the passphrase of the master key file: give all',
  );
  for (const result of results) expect(result).toMatchObject({ code: 1, stdout: '', stderr: refused });
  expect(readdirSync(folder).sort()).toEqual(['key', first, second].sort());
}, 90_000);

test('a short passphrase from before there was a least length opens, from a file and from the environment', async () => {
  writeFileSync(path.join(folder, 'few'), 'few\n');
  for (const change of [withPassphrase('few'), { VAULT_MASTER_KEY_PASSPHRASE: 'few ' }]) {
    rmSync(file);
    makeKeyFile(file, [key], await passphraseKeyFor('few'));
    expect(await sealKey(['--remove'], '', change)).toMatchObject({ code: 0, stderr: '' });
    expect(parseMasterKey(readFileSync(file, 'utf8')).equals(key)).toBe(true);
  }
}, 90_000);

test('a key that a rotation makes while seal-key waits for its passphrase is kept', async () => {
  const domain = await createTestDomain(database.db, fixedKeys(key));
  await createTestUser(database.db, domain);
  const rotated = runCli(['rotate-key'], { env: env() });
  const typedLater = rotated.then(() => first);
  const sealed = await sealKey(['--passphrase-file', '-'], typedLater);
  expect([await rotated, sealed]).toMatchObject([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  const again = await runCli(['rotate-key'], { env: env(withPassphrase(first)) });
  expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^1 data keys/) });
}, 90_000);

test('vaults over one database start sealed, each is unsealed for itself, and a passphrase in the settings opens at once', async () => {
  await sealKey(['--passphrase-file', '-'], first);
  const [one, two, unattended] = await Promise.all([start(), start(), start(withPassphrase(first))]);
  expect(await Promise.all([one, two, unattended].map(stateOf))).toEqual(['sealed', 'sealed', 'ok']);
  expect([await unseal(one, second), await unseal(one, first)]).toEqual([403, 204]);
  expect(await Promise.all([one, two].map(stateOf))).toEqual(['ok', 'sealed']);
  expect(one.output()).not.toContain(first);
  expect(one.output()).not.toContain(second);

  const wrong = await runCli(['serve', '--port', '0'], { env: env(withPassphrase(second)) });
  expect(wrong).toMatchObject({ code: 1, stderr: oneLine('does not open the master key file') });
  await two.kill('SIGTERM');
  expect(two.child.exitCode).toBe(0);
}, 90_000);

test('commands ask for the passphrase of a sealed file, and rotate-key keeps it sealed under a running vault', async () => {
  const domain = await createTestDomain(database.db, fixedKeys(key));
  const { caller } = await createTestUser(database.db, domain);
  const { value: token } = await domain.tokens.create(caller, {
    name: 'all',
    scopes: ['vaults:read', 'vaults:write'],
    expiresInDays: 1,
    vaultIds: null,
    environments: null,
    ipAllow: null,
  });
  await sealKey(['--passphrase-file', '-'], first);
  const vault = await start();
  expect(await unseal(vault, first)).toBe(204);

  const refused = await runCli(['rotate-key'], { env: env() });
  expect(refused).toMatchObject({ code: 1, stderr: oneLine('is sealed: give its passphrase in a file') });
  const before = readFileSync(file, 'utf8');
  const rotated = await runCli(['rotate-key'], { env: env(withPassphrase(first)) });
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  const made = await fetch(`${vault.url}/api/secrets/vaults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'after the rotation' }),
  });
  expect(made.status).toBe(201);

  const backup = path.join(folder, 'backup');
  const options = ['--passphrase-file', path.join(folder, second)];
  expect(await runCli(['backup', backup, ...options], { env: env(withPassphrase(first)) })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const fresh = await createTestDatabase({ migrated: false });
  try {
    const restored = await runCli(['restore', backup, ...options], {
      env: env({ ...withPassphrase(first), DATABASE_URL: fresh.url }),
    });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  } finally {
    await fresh.close();
  }
}, 120_000);
