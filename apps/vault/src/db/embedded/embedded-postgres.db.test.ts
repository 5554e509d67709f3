import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '@hearth/service-kit/logger';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
import { stopPostmaster } from './postmaster.js';
import { readPostmasterFile } from './postmaster-file.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const isRoot = process.getuid?.() === 0;
const clusterIn = (folder: string) => path.join(folder, 'vault', 'postgres', 'cluster');

// Making a cluster takes most of the time, so the tests that do not ask for a first start share one.
let base: string;
let folder: string;
let open: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'hearth-embedded-'));
  chmodSync(base, 0o755);
  folder = path.join(base, 'data');
});

beforeEach(() => {
  open = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of open) await server.stop();
  const left = readPostmasterFile(clusterIn(folder));
  if (left) await stopPostmaster(left.pid);
}, 60_000);

afterAll(() => rm(base, { recursive: true, force: true }));

async function start(dataFolder = folder): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres(dataFolder, logger);
  open.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A program that opens the same folder and writes until it is killed. Resolves once it has committed some rows. */
async function startWriter(): Promise<{ child: ChildProcess; acknowledged: () => number }> {
  const program = new URL('../../../test/write-until-killed.mjs', import.meta.url);
  const child = fork(program, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  let last = 0;
  const enough = new Promise<void>((resolve, reject) => {
    child.on('message', (number) => {
      last = Number(number);
      if (last === 50) resolve();
    });
    child.once('exit', () => reject(new Error('the writer ended too soon')));
  });
  await enough;
  child.removeAllListeners('exit');
  return { child, acknowledged: () => last };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('the embedded Postgres', () => {
  test('keeps what was written over a stop and a new start', async () => {
    const first = await start();
    await query(first, 'create table kept (word text)');
    await query(first, "insert into kept values ('here')");
    await first.stop();
    expect(readPostmasterFile(clusterIn(folder))).toBeUndefined();
    const second = await start();
    expect(second.tookOver).toBe(false);
    expect(await query(second, 'select word from kept')).toEqual([{ word: 'here' }]);
  }, 60_000);

  test('goes with a vault that ends at once, without time to stop it', async () => {
    const { child } = await startWriter();
    expect(readPostmasterFile(clusterIn(folder))).toBeDefined();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    while (readPostmasterFile(clusterIn(folder))) await wait(20);
    expect((await start()).tookOver).toBe(false);
  }, 60_000);

  test('is reached through a socket that only its owner may use, with a password kept in a private file', async () => {
    const server = await start();
    const root = path.join(folder, 'vault', 'postgres');
    for (const name of ['.', 'run', 'cluster']) {
      expect((await stat(path.join(root, name))).mode & 0o077).toBe(0);
    }
    expect((await stat(path.join(root, 'password'))).mode & 0o177).toBe(0);
    expect(await query(server, "select current_setting('listen_addresses') as listens")).toEqual([
      { listens: '' },
    ]);
    await expect(
      query({ ...server, connection: { ...server.connection, password: 'x' } }, 'select 1'),
    ).rejects.toThrow(/password authentication failed/);
  }, 60_000);

  test('left running by a killed vault is taken over, and every acknowledged row is there', async () => {
    const { child, acknowledged } = await startWriter();
    await kill(child);
    expect(readPostmasterFile(clusterIn(folder))).toBeDefined();
    const server = await start();
    expect(server.tookOver).toBe(true);
    const [found] = await query(server, 'select count(*)::int as rows, max(n) as last from numbers');
    expect(found?.['last']).toBe(found?.['rows']);
    expect(found?.['last']).toBeGreaterThanOrEqual(acknowledged());
  }, 60_000);

  test('killed together with its vault recovers, and every acknowledged row is there', async () => {
    const { child, acknowledged } = await startWriter();
    const server = readPostmasterFile(clusterIn(folder));
    if (!server) throw new Error('no server runs');
    process.kill(server.pid, 'SIGKILL');
    await kill(child);
    const again = await start();
    expect(again.tookOver).toBe(false);
    const [found] = await query(again, 'select count(*)::int as rows, max(n) as last from numbers');
    expect(found?.['last']).toBe(found?.['rows']);
    expect(found?.['last']).toBeGreaterThanOrEqual(acknowledged());
  }, 60_000);

  test('in use by one vault refuses a second and names the first', async () => {
    const { child, acknowledged } = await startWriter();
    const before = acknowledged();
    await expect(start()).rejects.toThrow(
      `another hearth-vault (process ${child.pid}) is using ${path.join(folder, 'vault', 'postgres')}`,
    );
    await new Promise<void>((resolve) => child.once('message', () => resolve()));
    expect(acknowledged()).toBeGreaterThan(before);
  }, 60_000);

  test('started for the first time by two vaults at once, after a first start that was cut short, serves one', async () => {
    const fresh = path.join(base, 'fresh');
    mkdirSync(path.join(fresh, 'vault', 'postgres', 'cluster.999999999'), { recursive: true });
    const results = await Promise.allSettled([start(fresh), start(fresh)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }, 60_000);

  test('that dies under a running vault is started again', async () => {
    const server = await start();
    const before = readPostmasterFile(clusterIn(folder));
    if (!before) throw new Error('no server runs');
    process.kill(before.pid, 'SIGKILL');
    // It answers a moment before its owner has it back, so the owner's lock is waited for.
    const locked = () => query(server, "select 1 from pg_locks where locktype = 'advisory'").catch(() => []);
    while ((await locked()).length === 0 || readPostmasterFile(clusterIn(folder))?.pid === before.pid);
    await expect(start()).rejects.toThrow(/another hearth-vault/);
  }, 60_000);

  test('starts although an old file names a process that is now another program, and leaves that one alone', async () => {
    const bystander = spawn(process.execPath, [
      '-e',
      'setInterval(() => {}, 1000)',
      'postgres',
      clusterIn(folder),
    ]);
    children.push(bystander);
    const file = path.join(clusterIn(folder), 'postmaster.pid');
    writeFileSync(file, `${bystander.pid}\n${clusterIn(folder)}\n1\n5432\n/x\n`);
    const server = await start();
    await server.stop();
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  }, 60_000);

  test('works below a path too long for a socket, where only its own user may pass', async () => {
    // As root, Postgres runs as somebody else, who may not enter the outer folder.
    const outer = path.join(base, 'private');
    mkdirSync(outer, { mode: 0o700 });
    const deep = path.join(outer, 'a-rather-long-name-for-a-folder'.repeat(4));
    const server = await start(deep);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  }, 60_000);

  test('never runs as root and gets nothing of the environment, which holds the master key', async () => {
    process.env['VAULT_MASTER_KEY'] = 'canary';
    try {
      await start();
    } finally {
      delete process.env['VAULT_MASTER_KEY'];
    }
    const pid = readPostmasterFile(clusterIn(folder))?.pid;
    const owner = (await stat(path.join(clusterIn(folder), 'PG_VERSION'))).uid;
    expect(owner === 0).toBe(false);
    expect(isRoot || owner === process.getuid?.()).toBe(true);
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('canary');
    }
  }, 60_000);
});
