import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type EmbeddedFolders, makeClusterFolder } from './embedded-folders.js';
import { type PostgresAccount, spawnIds } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { isAlive } from './postmaster-file.js';

export const embeddedUser = 'hearth';

/** Postgres gets none of our environment: it holds the master key. */
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * Makes the cluster on the first start. It is made beside its place and moved there when it is whole, so that a
 * first start that is cut short leaves nothing half made.
 */
export async function makeCluster(
  folders: EmbeddedFolders,
  binaries: PostgresBinaries,
  account: PostgresAccount,
): Promise<void> {
  const versionFile = path.join(folders.cluster, 'PG_VERSION');
  if (existsSync(versionFile)) return checkVersion(versionFile, binaries);
  const draft = `${folders.cluster}.${process.pid}`;
  await removeOldDrafts(folders);
  makeClusterFolder(draft, account.ids);
  const { program, args } = account.command(binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${embeddedUser}`,
    `--pwfile=${folders.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  try {
    await promisify(execFile)(program, args, {
      ...spawnIds(account, program),
      env: postgresEnvironment,
      cwd: '/',
    });
    await rename(draft, folders.cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another vault was faster: the cluster is there, and whoever holds it is found out next.
    if (existsSync(versionFile)) return;
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? (error as Error).message;
    throw new StartupError(`the embedded Postgres could not be set up in ${folders.root}: ${said}`);
  }
}

/** What earlier first starts left half made. */
async function removeOldDrafts({ root, cluster }: EmbeddedFolders): Promise<void> {
  const prefix = `${path.basename(cluster)}.`;
  for (const name of await readdir(root)) {
    const pid = Number(name.slice(prefix.length));
    const isOld = name.startsWith(prefix) && (pid === process.pid || !isAlive(pid));
    if (isOld) await rm(path.join(root, name), { recursive: true, force: true });
  }
}

function checkVersion(versionFile: string, binaries: PostgresBinaries): void {
  const made = readFileSync(versionFile, 'utf8').trim();
  const share = path.resolve(path.dirname(binaries.postgres), '..', 'share', 'postgresql', 'postgres.bki');
  // The first line of this file is "# PostgreSQL 18".
  const here = existsSync(share) ? /\d+/.exec(readFileSync(share, 'utf8').slice(0, 80))?.[0] : made;
  if (here !== made) {
    throw new StartupError(
      `the embedded database was made by Postgres ${made} and this program brings Postgres ${here}; back it up with the version that made it and restore it into a new HEARTH_DATA`,
    );
  }
}
