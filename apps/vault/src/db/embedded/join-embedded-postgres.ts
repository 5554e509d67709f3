import { readFileSync } from 'node:fs';
import pg from 'pg';
import { embeddedFolders } from './embedded-folders.js';
import { ownerLock } from './embedded-owner.js';
import { databaseName } from './embedded-postgres.js';
import { embeddedUser } from './make-cluster.js';
import { readPostmasterFile } from './postmaster-file.js';

/**
 * The embedded server of a vault that is running right now, for commands that work beside it. Nothing is returned
 * where none runs, or where the one that runs was left behind by a vault that is gone.
 */
export async function joinEmbeddedPostgres(dataFolder: string): Promise<pg.ClientConfig | undefined> {
  const folders = embeddedFolders(dataFolder);
  const running = readPostmasterFile(folders.cluster);
  if (running === undefined) return undefined;
  const connection: pg.ClientConfig = {
    host: running.socketFolder,
    port: running.port,
    user: embeddedUser,
    password: readFileSync(folders.passwordFile, 'utf8').trim(),
    database: databaseName,
  };
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(
      `select 1 from pg_locks where locktype = 'advisory' and granted and ((classid::bigint << 32) | objid::bigint) = $1`,
      [ownerLock],
    );
    return rowCount === 0 ? undefined : connection;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
