import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import pg from 'pg';
import { embeddedFolders, embeddedPassword, makeEmbeddedFolders } from './embedded-folders.js';
import { embeddedUser, makeCluster } from './make-cluster.js';
import { choosePostgresAccount } from './postgres-account.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { type StartedPostmaster, startPostmaster, stopPostmaster } from './postmaster.js';
import { readPostmasterFile, removeStalePostmasterFile } from './postmaster-file.js';

export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig;
  /** True when a server was found running that a killed vault had left behind. */
  readonly tookOver: boolean;
  stop(): Promise<void>;
}

const databaseName = 'vault';
const startPatienceMs = 60_000;
/** After a crash Postgres refuses to start until the last process of the crashed server is gone. */
const mostStarts = 30;
const pauseBetweenStartsMs = 200;
/** Held for as long as a vault uses the cluster; it goes with the vault's connection, however the vault ends. */
const ownerLock = 7_402_318_866;

/**
 * Starts a real Postgres as a child in the data folder, or takes over the one that a killed vault left running.
 * Which vault owns it is decided by an advisory lock in the server itself, so no stale file can say otherwise.
 */
export async function openEmbeddedPostgres(dataFolder: string, logger: Logger): Promise<EmbeddedPostgres> {
  const binaries = findPostgresBinaries();
  const ownFolders = [ensureWritableFolder(dataFolder), ensureWritableFolder(path.join(dataFolder, 'vault'))];
  const folders = embeddedFolders(dataFolder);
  const account = choosePostgresAccount({
    ownFolders,
    cluster: folders.root,
    programs: [binaries.initdb, binaries.postgres],
  });
  makeEmbeddedFolders(folders, account.ids);
  const password = embeddedPassword(folders, account.ids);
  await makeCluster(folders, binaries, account);

  const connectionTo = (
    database: string,
    server: { socketFolder: string; port: number },
  ): pg.ClientConfig => ({
    host: server.socketFolder,
    port: server.port,
    user: embeddedUser,
    password,
    database,
  });

  let started: StartedPostmaster | undefined;
  let starts = 0;
  let tookOver = false;
  const deadline = Date.now() + startPatienceMs;
  while (Date.now() < deadline) {
    const running = readPostmasterFile(folders.cluster);
    if (running) {
      const owner = await becomeOwner(connectionTo('postgres', running), folders.root);
      if (owner) {
        tookOver = starts === 0;
        if (tookOver)
          logger.warn({ pid: running.pid }, 'took over the Postgres that an earlier vault left running');
        await ensureDatabase(owner);
        return {
          connection: connectionTo(databaseName, running),
          tookOver,
          async stop() {
            await owner.end().catch(() => undefined);
            await stopPostmaster(running.pid);
          },
        };
      }
    } else if (started === undefined || started.hasExited()) {
      if (starts === mostStarts) break;
      if (starts > 0) await wait(pauseBetweenStartsMs);
      removeStalePostmasterFile(folders.cluster);
      started = startPostmaster(folders, binaries, account);
      starts += 1;
    }
    await wait(30);
  }
  throw new StartupError(`the embedded Postgres did not start; its own words are in ${folders.log}`);
}

/** A connection that holds the lock, or nothing while the server is still starting or already stopping. */
async function becomeOwner(connection: pg.ClientConfig, folder: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connection,
    application_name: `hearth-vault ${process.pid}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ granted: boolean }>('select pg_try_advisory_lock($1) as granted', [
      ownerLock,
    ]);
    if (rows[0]?.granted) return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = (error as { code?: string }).code;
    if (code === '28P01') {
      throw new StartupError(`the embedded Postgres in ${folder} refuses the password in ${folder}/password`);
    }
    return undefined;
  }
  const holder = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and ((classid::bigint << 32) | objid::bigint) = $1`,
    [ownerLock],
  );
  await client.end();
  const pid = /\d+$/.exec(holder.rows[0]?.application_name ?? '')?.[0];
  throw new StartupError(
    `another hearth-vault${pid ? ` (process ${pid})` : ''} is using ${folder}; stop it or set another HEARTH_DATA`,
  );
}

async function ensureDatabase(owner: pg.Client): Promise<void> {
  const { rowCount } = await owner.query('select 1 from pg_database where datname = $1', [databaseName]);
  if (rowCount === 0) await owner.query(`create database ${databaseName}`);
}
