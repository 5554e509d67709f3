import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import { createTestDomain, createTestUser, fixedKeys } from '../../test/domain.js';
import { plainEnv } from '../../test/start-program.js';
import { cli, runCli, startVaultProcess, type VaultProcess } from '../../test/vault-process.js';
import { makeMasterKey, printMasterKey } from '../crypto/master-key.js';
import { parseJsonEntries } from '../formats/parse-json-entries.js';

const key = makeMasterKey();
const passphrase = 'a long enough pass phrase';
let folder: string;
/** A backup that its passphrase opens, and its lines. */
let file: string;
let lines: string[];
let fresh: TestDatabase;
let restoring: ChildProcess | undefined;
let running: VaultProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vault-restore-'));
  file = path.join(folder, 'backup');
  writeFileSync(path.join(folder, 'passphrase'), passphrase);
  const source = await createTestDatabase();
  try {
    const domain = await createTestDomain(source.db, fixedKeys(key));
    const { caller, personalVault } = await createTestUser(source.db, domain);
    const entries = Array.from({ length: 300 }, (_, n) => [`KEY_${n}`, `value ${n}`]);
    await domain.imports.run(
      caller,
      { vaultId: personalVault.id, environment: 'dev', path: '/', mode: 'merge', dryRun: false },
      parseJsonEntries(Object.fromEntries(entries)),
    );
    const options = ['--passphrase-file', path.join(folder, 'passphrase')];
    const env = { DATABASE_URL: source.url, VAULT_MASTER_KEY: printMasterKey(key), HEARTH_DATA: folder };
    expect(await runCli(['backup', file, ...options], { env })).toMatchObject({ code: 0, stderr: '' });
  } finally {
    await source.close();
  }
  lines = readFileSync(file, 'utf8').split('\n');
}, 90_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  fresh = await createTestDatabase({ migrated: false });
}, 60_000);

afterEach(async () => {
  restoring?.kill('SIGKILL');
  await running?.kill('SIGKILL');
  running = undefined;
  await fresh.close();
});

const ownKey = () => ({ DATABASE_URL: fresh.url, VAULT_MASTER_KEY: printMasterKey(makeMasterKey()) });
const sameKey = () => ({ DATABASE_URL: fresh.url, VAULT_MASTER_KEY: printMasterKey(key) });
const oneLine = (text: string) => new RegExp(`^hearth-vault: [^\\n]*${text}[^\\n]*\\n$`);

/** A restore that has read half of a backup through a pipe, and holds the database while it waits for the rest. */
async function restoreHalf(): Promise<{ finish(): Promise<{ code: number | null; said: string }> }> {
  const child = spawn(process.execPath, [cli, 'restore', '-'], { env: { ...plainEnv, ...sameKey() } });
  restoring = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.stdin.write(`${lines.slice(0, 2).join('\n')}\n`);
  for (;;) {
    const { rows } = await fresh.pool.query(
      "select 1 from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database() where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objid = (hashtextextended('restore', 0) & 4294967295)::oid",
    );
    if (rows.length > 0) break;
    if (child.exitCode !== null) throw new Error(`the restore ended early: ${said}`);
    await delay(20);
  }
  return {
    async finish() {
      child.stdin.end(lines.slice(2).join('\n'));
      return { code: (await closed)[0], said };
    },
  };
}

test('while a backup is restored neither a vault nor a second restore starts, and the restore ends well', async () => {
  const half = await restoreHalf();
  const [vault, second] = await Promise.all([
    runCli(['serve', '--port', '0'], { env: ownKey() }),
    runCli(['restore', file], { env: sameKey() }),
  ]);
  expect(vault).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine('is being restored')) });
  expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(oneLine('another restore')) });
  expect(await half.finish()).toEqual({ code: 0, said: expect.stringContaining('300 secrets') });
  running = await startVaultProcess(sameKey());
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
}, 90_000);

test('a vault that was there first keeps its database, and the restore says why', async () => {
  running = await startVaultProcess(ownKey());
  const refused = await runCli(['restore', file], { env: sameKey() });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(oneLine('a vault was started on it'));
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
}, 60_000);

test('started in the same moment, exactly one of vault and restore gets the database', async () => {
  const vault = startVaultProcess(ownKey());
  const [started, restored] = await Promise.all([
    vault.then(
      (program) => {
        running = program;
        return true;
      },
      () => false,
    ),
    runCli(['restore', file], { env: sameKey() }),
  ]);
  expect(restored.code === 0).toBe(!started);
  const { rows } = await fresh.pool.query('select state from master_keys');
  expect(rows).toEqual([{ state: 'active' }]);
}, 60_000);

test('a backup with a passphrase restores through a pipe, in one pass', async () => {
  const dataFolder = mkdtempSync(path.join(folder, 'data-'));
  const env = { DATABASE_URL: fresh.url, HEARTH_DATA: dataFolder };
  const options = ['--passphrase-file', path.join(folder, 'passphrase')];
  const result = await runCli(['restore', '-', ...options], { env, input: readFileSync(file) });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain('300 secrets');
  running = await startVaultProcess(env);
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
}, 60_000);

test('what a pipe brings is judged as a file is, before the database is touched', async () => {
  const options = ['--passphrase-file', path.join(folder, 'passphrase')];
  const restore = (args: readonly string[], input: string) =>
    runCli(['restore', '-', ...args], { env: { DATABASE_URL: fresh.url, HEARTH_DATA: folder }, input });
  const [both, empty, other] = await Promise.all([
    restore(['--passphrase-file', '-'], passphrase),
    restore(options, ''),
    restore(options, 'not a backup\n'),
  ]);
  expect(both.stderr).toMatch(oneLine('either the backup or the passphrase'));
  expect(empty.stderr).toMatch(oneLine('standard input: this is not a backup'));
  expect(other.stderr).toMatch(oneLine('standard input: this is not a backup'));
  const { rows } = await fresh.pool.query("select 1 from pg_tables where schemaname = 'public'");
  expect(rows).toHaveLength(0);
}, 60_000);
