import { StartupError } from '@hearth/service-kit/startup-error';
import pg from 'pg';

/** Held for as long as a vault uses the cluster; it goes with the vault's connection, however the vault ends. */
export const ownerLock = 7_402_318_866;

/** A connection that holds the lock, or nothing while the server is still starting or already stopping. */
export async function becomeOwner(
  connection: pg.ClientConfig,
  folder: string,
): Promise<pg.Client | undefined> {
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

export async function ensureDatabase(owner: pg.Client, databaseName: string): Promise<void> {
  const { rowCount } = await owner.query('select 1 from pg_database where datname = $1', [databaseName]);
  if (rowCount === 0) await owner.query(`create database ${databaseName}`);
}
