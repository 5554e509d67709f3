import { spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { EmbeddedFolders } from './embedded-folders.js';
import { postgresEnvironment } from './make-cluster.js';
import { type PostgresAccount, spawnIds } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { isAlive } from './postmaster-file.js';

const logLimitBytes = 10 * 1024 * 1024;

/** Reached through its socket only, private to its owner, and never logging what a row or a statement holds. */
const serverSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '32MB',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
};

export interface StartedPostmaster {
  /** Becomes true when the server ended before it was wanted. */
  hasExited(): boolean;
}

/** Starts the server in a session of its own: Ctrl-C in the terminal reaches the vault first, which then stops it. */
export function startPostmaster(
  folders: EmbeddedFolders,
  binaries: PostgresBinaries,
  account: PostgresAccount,
): StartedPostmaster {
  const settings = Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { program, args } = account.command(binaries.postgres, [
    '-D',
    folders.cluster,
    '-k',
    folders.socket,
    ...settings,
  ]);
  const log = openSync(folders.log, 'a', 0o600);
  if (fstatSync(log).size > logLimitBytes) ftruncateSync(log);
  const child = spawn(program, args, {
    ...spawnIds(account, program),
    env: postgresEnvironment,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  child.once('error', () => {
    exited = true;
  });
  child.unref();
  return { hasExited: () => exited };
}

/** Asks the server to end its sessions, write everything out and go; insists when it does not. */
export async function stopPostmaster(pid: number): Promise<void> {
  // In Postgres' words: SIGINT is the fast shutdown, SIGQUIT the immediate one, which recovers at the next start.
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const end = Date.now() + patienceMs;
    while (isAlive(pid) && Date.now() < end) await wait(20);
  }
}
