import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
import { stopPostmaster } from './postmaster.js';
import { readPostmasterFile } from './postmaster-file.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const isRoot = process.getuid?.() === 0;
const clusterIn = (folder: string) => path.join(folder, 'vault', 'postgres', 'cluster');

let base: string;
let folder: string;
let open: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'hearth-embedded-'));
  chmodSync(base, 0o755);
  folder = path.join(base, 'data');
  open = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of open) await server.stop();
  const left = readPostmasterFile(clusterIn(folder));
  if (left) await stopPostmaster(left.pid);
  await rm(base, { recursive: true, force: true });
}, 60_000);

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
    process.kill(server?.pid ?? 0, 'SIGKILL');
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

  test('started by two vaults at the same first moment serves exactly one of them', async () => {
    const results = await Promise.allSettled([start(), start()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }, 60_000);

  test('starts although an old file names a process that is now another program', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(
      path.join(clusterIn(folder), 'postmaster.pid'),
      `${process.pid}\n${clusterIn(folder)}\n1\n5432\n/x\n`,
    );
    await start();
  }, 60_000);

  test('starts although an earlier first start was cut short', async () => {
    mkdirSync(path.join(folder, 'vault', 'postgres', 'cluster.999999999'), { recursive: true });
    await start();
  }, 60_000);

  test('works below a path too long for a socket', async () => {
    const deep = path.join(base, 'a-rather-long-name-for-a-folder'.repeat(4));
    const server = await start(deep);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  }, 60_000);

  test('works where only its own user may pass', async () => {
    // As root, Postgres runs as somebody else, who may not enter this folder.
    chmodSync(base, 0o700);
    const server = await start();
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
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
