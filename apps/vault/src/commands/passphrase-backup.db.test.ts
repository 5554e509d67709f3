import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import {
  createTestDomain,
  createTestUser,
  everythingInDev,
  fixedKeys,
  silentLogger,
  type TestUser,
} from '../../test/domain.js';
import { masterKeySettings } from '../../test/master-key-settings.js';
import { runCli } from '../../test/vault-process.js';
import type { Domain } from '../compose-domain.js';
import { type MasterKey, makeMasterKey, parseMasterKey, printMasterKey } from '../crypto/master-key.js';
import { parseJsonEntries } from '../formats/parse-json-entries.js';
import { keyFilePath } from '../keys/held-master-keys.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';

const passphrase = 'a long enough pass phrase';
const [active, retired] = [makeMasterKey(), makeMasterKey()];
let folder: string;
let source: TestDatabase;
let domain: Domain;
let users: TestUser[];
let fresh: TestDatabase;
let dataFolder: string;

const inFolder = (name: string) => path.join(folder, name);
function textFile(name: string, text: string): string {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
}

/** A vault in the middle of a rotation: one data key is under the active master key, one under the retired one. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vault-passphrase-'));
  source = await createTestDatabase({ server: 'second' });
  const ada = await createTestUser(source.db, await createTestDomain(source.db, fixedKeys(retired)));
  domain = await createTestDomain(source.db, fixedKeys(active, [retired]));
  users = [ada, await createTestUser(source.db, domain, 'Eve')];
  for (const user of users) {
    const entries = Array.from({ length: 40 }, (_, n) => [`KEY_${n}`, `value ${n} of ${user.id} \u{1f600}`]);
    await domain.imports.run(
      user.caller,
      { vaultId: user.personalVault.id, environment: 'dev', path: '/', mode: 'merge', dryRun: false },
      parseJsonEntries(Object.fromEntries(entries)),
    );
  }
  textFile('passphrase', `${passphrase}\n`);
  expect(await backup('with', ['--passphrase-file', inFolder('passphrase')])).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await backup('without', [])).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  fresh = await createTestDatabase({ migrated: false });
  dataFolder = mkdtempSync(path.join(folder, 'data-'));
}, 60_000);

afterEach(() => fresh.close());

const backup = (name: string, options: readonly string[], input = '') =>
  runCli(['backup', inFolder(name), ...options], {
    env: {
      DATABASE_URL: source.url,
      HEARTH_DATA: folder,
      VAULT_MASTER_KEY: printMasterKey(active),
      VAULT_MASTER_KEYS_RETIRED: printMasterKey(retired),
    },
    input,
  });

const restore = (
  name: string,
  change: { passphraseFile?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
) =>
  runCli(['restore', inFolder(name), '--passphrase-file', change.passphraseFile ?? inFolder('passphrase')], {
    env: { DATABASE_URL: fresh.url, HEARTH_DATA: dataFolder, ...change.env },
    input: change.input ?? '',
  });

const keySettings = () => masterKeySettings(dataFolder, { databaseUrl: fresh.url });

async function valuesIn(from: Domain): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const { caller, personalVault } of users) {
    for (const { secret, value } of await from.secrets.list(caller, personalVault.id, everythingInDev)) {
      all.push([personalVault.id, secret.key, value?.bytes.toString('hex')]);
    }
  }
  return all;
}

/** What the restored vault serves with the key file alone. */
async function restoredValues(): Promise<unknown[]> {
  return valuesIn(await createTestDomain(fresh.db, loadMasterKeys(keySettings(), silentLogger)));
}

async function tablesInFresh(): Promise<unknown> {
  const { rows } = await fresh.pool.query(
    "select count(*)::int as tables from information_schema.tables where table_schema = 'public'",
  );
  return rows[0].tables;
}

const keyFile = () => keyFilePath(keySettings());
const oneLine = (pattern: string) =>
  expect.stringMatching(new RegExp(`^hearth-vault: [^\\n]*${pattern}[^\\n]*\\n$`));

test('with the passphrase alone everything comes back into a fresh database and data folder', async () => {
  const result = await restore('with');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain(`the recovered master key is now in ${keyFile()}`);
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  const inFile = readFileSync(keyFile(), 'utf8').trim().split('\n');
  expect(inFile.map((line) => parseMasterKey(line).equals(active))).toEqual([true, false]);
  const values = await restoredValues();
  expect(values).toHaveLength(80);
  expect(values).toEqual(await valuesIn(domain));
  for (const key of [active, retired]) expect(result.stdout).not.toContain(printMasterKey(key));
}, 60_000);

test('the passphrase may come from standard input, on both sides', async () => {
  expect(await backup('from-input', ['--passphrase-file', '-'], `${passphrase}\r\n`)).toMatchObject({
    code: 0,
  });
  expect(await restore('from-input', { passphraseFile: '-', input: passphrase })).toMatchObject({ code: 0 });
  expect(await restoredValues()).toHaveLength(80);
}, 60_000);

test('a key file that a first start made gives way as long as the database is empty', async () => {
  const made = loadMasterKeys({ ...keySettings(), makeMasterKey: true }, silentLogger).keyring.active.id;
  expect(await restore('with')).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(`${keyFile()}.${made}`)).toBe(true);
  expect(await restoredValues()).toHaveLength(80);
}, 60_000);

test('a key file that the database is sealed under stays as it is', async () => {
  const own = makeMasterKey();
  mkdirSync(path.dirname(keyFile()), { recursive: true });
  writeFileSync(keyFile(), printMasterKey(own));
  expect(
    await runCli(['rotate-data-keys'], { env: { DATABASE_URL: fresh.url, HEARTH_DATA: dataFolder } }),
  ).toMatchObject({ code: 0 });
  expect(await restore('with')).toMatchObject({ code: 1, stdout: '', stderr: oneLine('already holds data') });
  expect(readFileSync(keyFile(), 'utf8')).toBe(printMasterKey(own));
}, 60_000);

test('the same key in VAULT_MASTER_KEY is fine and makes no file; another one is refused', async () => {
  const env = (key: MasterKey, ...more: MasterKey[]) => ({
    VAULT_MASTER_KEY: printMasterKey(key),
    VAULT_MASTER_KEYS_RETIRED: more.map(printMasterKey).join(','),
  });
  expect(await restore('with', { env: env(makeMasterKey()) })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: oneLine('restore without VAULT_MASTER_KEY'),
  });
  expect(await tablesInFresh()).toBe(0);
  expect(await restore('with', { env: env(active, retired) })).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(keyFile())).toBe(false);
  expect(await valuesIn(await createTestDomain(fresh.db, fixedKeys(active, [retired])))).toHaveLength(80);
}, 60_000);

test('what cannot be opened is refused in one line, and nothing is written', async () => {
  const refused = (pattern: string) => ({ code: 1, stdout: '', stderr: oneLine(pattern) });
  const restoreWith = (text: string) => restore('with', { passphraseFile: '-', input: text });
  const results = await Promise.all([
    restoreWith('another long pass phrase'),
    restore('without'),
    restoreWith('elevenchars'),
    restoreWith('\n'),
    restore('with', { passphraseFile: textFile('empty', '') }),
    restore('with', { passphraseFile: inFolder('none') }),
    restore('none'),
    restore('passphrase'),
  ]);
  expect(results).toEqual([
    refused('the passphrase does not open the copy of the master key'),
    refused('holds no copy of its master key'),
    refused('the passphrase does not open the copy of the master key'),
    refused('standard input is empty'),
    refused('empty is empty'),
    refused('cannot read the passphrase file .*ENOENT'),
    refused('cannot read .*ENOENT'),
    refused('this is not a backup'),
  ]);
  expect(await tablesInFresh()).toBe(0);
  expect(existsSync(keyFile())).toBe(false);
}, 120_000);

test('a backup that is not whole behind its header installs no key', async () => {
  const lines = readFileSync(inFolder('with'), 'utf8').split('\n');
  textFile('damaged', [lines[0], ...lines.slice(2)].join('\n'));
  expect(await restore('damaged')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: oneLine('not whole'),
  });
  expect(existsSync(keyFile())).toBe(false);
  expect(await restore('with')).toMatchObject({ code: 0 });
}, 60_000);

test.each([
  ['short', 'elevenchars', 'too short'],
  ['of several lines', 'first line of it\nsecond line of it', 'more than one line'],
  ['empty', '', 'is empty'],
])(
  'a backup with a passphrase that is %s is not begun',
  async (name, text, problem) => {
    const result = await backup(`bad-${name}`, ['--passphrase-file', '-'], text);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: oneLine(problem) });
    expect([existsSync(inFolder(`bad-${name}`)), existsSync(inFolder(`bad-${name}.part`))]).toEqual([
      false,
      false,
    ]);
  },
  60_000,
);

test('bytes that are not text are refused as a passphrase', async () => {
  writeFileSync(
    inFolder('bytes'),
    Buffer.from([0xff, 0xfe, 0x80, 0x81, 0xff, 0xfe, 0x80, 0x81, 0xff, 0xfe, 0x80, 0x81]),
  );
  expect(await backup('bad-bytes', ['--passphrase-file', inFolder('bytes')])).toMatchObject({
    code: 1,
    stderr: oneLine('not text in UTF-8'),
  });
}, 60_000);

test('without the option the header holds no key material, and with it only what is sealed', () => {
  const headerOf = (name: string) =>
    JSON.parse(readFileSync(inFolder(name), 'utf8').split('\n')[0] as string) as Record<string, unknown>;
  const known = ['created_at', 'format', 'id', 'master_key_id', 'version'];
  expect(Object.keys(headerOf('without')).sort()).toEqual(known);
  expect(Object.keys(headerOf('with')).sort()).toEqual([...known, 'wrapped_keys']);
  for (const name of ['with', 'without']) {
    const text = readFileSync(inFolder(name), 'utf8');
    for (const key of [active, retired]) {
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        expect(text.includes(key.toString(form).slice(0, 40))).toBe(false);
      }
    }
    expect(text).not.toContain(passphrase);
  }
});
