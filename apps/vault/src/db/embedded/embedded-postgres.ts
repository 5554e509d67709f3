import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import type pg from 'pg';
import {
  embeddedFolders,
  embeddedPassword,
  makeEmbeddedFolders,
  removeSocketFallback,
} from './embedded-folders.js';
import { becomeOwner, ensureDatabase } from './embedded-owner.js';
import { embeddedUser, makeCluster } from './make-cluster.js';
import { choosePostgresAccount } from './postgres-account.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { type StartedPostmaster, startPostmaster, stopPostmaster } from './postmaster.js';
import { type RunningPostmaster, readPostmasterFile, removeStalePostmasterFile } from './postmaster-file.js';

export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig;
  /** True when a server was found running that a killed vault had left behind. */
  readonly tookOver: boolean;
  stop(): Promise<void>;
}

interface OwnedServer extends RunningPostmaster {
  readonly owner: pg.Client;
  /** It ran already when we came. */
  readonly found: boolean;
}

export const databaseName = 'vault';
const startPatienceMs = 60_000;
/** After a crash Postgres refuses to start until the last process of the crashed server is gone. */
const mostStarts = 30;
const pauseBetweenStartsMs = 200;

/**
 * Starts a real Postgres as a child in the data folder, or takes over the one that a killed vault left running.
 * Which vault owns it is decided by an advisory lock in the server itself, so no stale file can say otherwise. A
 * server that dies under a running vault is started again.
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

  /** Finds the server running or starts it, and becomes its owner. */
  const acquire = async (): Promise<OwnedServer> => {
    let started: StartedPostmaster | undefined;
    let starts = 0;
    const deadline = Date.now() + startPatienceMs;
    while (Date.now() < deadline) {
      const running = readPostmasterFile(folders.cluster);
      if (running) {
        const owner = await becomeOwner(connectionTo('postgres', running), folders.root);
        if (owner) return { ...running, owner, found: starts === 0 };
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
  };

  let server = await acquire();
  const tookOver = server.found;
  if (tookOver) logger.warn({ pid: server.pid }, 'took over the Postgres that an earlier vault left running');
  await ensureDatabase(server.owner, databaseName);

  let stopping = false;
  let recovering: Promise<void> = Promise.resolve();
  const watch = () =>
    server.owner.once('end', () => {
      if (stopping) return;
      logger.error('the embedded Postgres is gone; starting it again');
      recovering = acquire().then(
        (next) => {
          server = next;
          watch();
          logger.warn('the embedded Postgres is back');
        },
        (error: unknown) => logger.fatal({ err: error }, 'the embedded Postgres could not be started again'),
      );
    });
  watch();

  // A vault that is told twice to stop ends at once. Nobody is left to wait for its server, but it can still be told.
  const tellToStop = () => {
    // Read again, or another process that got its number could be meant.
    if (readPostmasterFile(folders.cluster)?.pid === server.pid) process.kill(server.pid, 'SIGINT');
  };
  process.once('exit', tellToStop);

  return {
    connection: connectionTo(databaseName, server),
    tookOver,
    async stop() {
      stopping = true;
      await recovering;
      await server.owner.end().catch(() => undefined);
      await stopPostmaster(server.pid);
      process.off('exit', tellToStop);
      removeSocketFallback(folders);
    },
  };
}
