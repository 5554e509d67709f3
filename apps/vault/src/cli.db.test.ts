import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../test/database.js';
import { signInAs } from '../test/start-test-vault.js';
import { TestBrowser } from '../test/test-browser.js';
import { runCli, startVaultProcess, type VaultProcess } from '../test/vault-process.js';
import { makeMasterKey, printMasterKey } from './crypto/master-key.js';

let database: TestDatabase;
let folder: string;
let settings: NodeJS.ProcessEnv;
const running: VaultProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  folder = await mkdtemp(path.join(tmpdir(), 'hearth-cli-'));
  settings = {
    DATABASE_URL: database.url,
    HEARTH_DATA: folder,
    VAULT_MASTER_KEY: printMasterKey(makeMasterKey()),
    HEARTH_VAULT_PORT: '0',
  };
}, 60_000);

afterEach(async () => {
  for (const vault of running.splice(0)) await vault.kill('SIGKILL');
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCli(args, { env: { ...settings, ...env } });

async function serve(env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Promise<VaultProcess> {
  const vault = await startVaultProcess({ ...settings, HEARTH_LOG_FORMAT: 'json', ...env }, args);
  running.push(vault);
  return vault;
}

/** What a start that fails says: words for a person on standard error, no stack. */
async function failure(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stderr } = await run(args, env);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe('hearth-vault', () => {
  test('migrate brings a database up to date, and then finds nothing to do', async () => {
    const first = await run(['migrate'], { HEARTH_LOG_LEVEL: 'warn' });
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('applied 0001-first-tables.sql');
    const second = await run(['migrate']);
    expect(second).toMatchObject({ code: 0, stdout: 'the database is up to date\n' });
  }, 60_000);

  test('serve answers, lets people sign in at the stand-ins, and ends with 0 on SIGTERM', async () => {
    const vault = await serve({}, ['--stand-in']);
    const { url } = vault;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const unauthenticated = await fetch(`${url}/api/secrets/vaults`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(unauthenticated.status).toBe(401);
    const reply = await signInAs(new TestBrowser(), { url }, 'ada');
    expect(reply.location).toBe(`${url}/`);
    await vault.kill('SIGTERM');
    expect(vault.child.exitCode).toBe(0);
    expect(vault.output()).toContain('LOCAL STAND-IN');
    expect(vault.output()).toContain('"msg":"stopped"');
  }, 60_000);

  test.each([
    ['on a public address', { PUBLIC_URL: 'https://vault.example.com' }],
    ['beside a real provider', { GITHUB_CLIENT_ID: 'x', GITHUB_CLIENT_SECRET: 'y' }],
    ['unless it is wanted', { HEARTH_VAULT_STAND_IN: 'false' }],
  ])(
    'serve has no stand-in %s',
    async (_where, env) => {
      const vault = await serve({ HEARTH_VAULT_STAND_IN: 'true', ...env });
      const providers = (await (await fetch(`${vault.url}/api/providers`)).json()) as { stand_in: boolean }[];
      expect(providers.filter(({ stand_in }) => stand_in)).toEqual([]);
      await vault.kill('SIGTERM');
      expect(vault.output()).not.toContain('STAND-IN');
    },
    60_000,
  );

  test('serve says in one line that the port is busy', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const said = await failure(['serve', '--port', String(port)]);
      expect(said.trim().split('\n')).toEqual([
        `hearth-vault: 127.0.0.1:${port} is already in use; stop the other program or choose another port with --port or HEARTH_VAULT_PORT`,
      ]);
    } finally {
      other.close();
    }
  }, 60_000);

  test('serve says that the database cannot be reached, without the password in its address', async () => {
    const said = await failure(['serve'], { DATABASE_URL: 'postgres://u:canary-password@127.0.0.1:1/x' });
    expect(said).toBe(
      'hearth-vault: cannot use the database of DATABASE_URL: nothing listens at its address\n',
    );
  }, 60_000);

  test('serve ends when it cannot start, also under a process that waits for it', async () => {
    await expect(serve({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })).rejects.toThrow(/ended with 1/);
  }, 60_000);

  test('serve refuses another master key than the one the database was sealed under', async () => {
    const said = await failure(['serve'], { VAULT_MASTER_KEY: printMasterKey(makeMasterKey()) });
    expect(said).toMatch(/wrong master key/);
  }, 60_000);

  test('reports all bad settings at once', async () => {
    const said = await failure(['serve', '--port', 'x'], { SIGNUPS: 'maybe' });
    expect(said).toContain('--port: must be a whole number');
    expect(said).toContain('SIGNUPS: must be one of open, closed, allowlist');
  }, 60_000);

  test('has --help and --version', async () => {
    expect((await run(['--help'])).stdout).toMatch(/Usage: hearth-vault/);
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }, 60_000);
});
