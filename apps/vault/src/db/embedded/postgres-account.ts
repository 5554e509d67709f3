import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';

/** Whom Postgres runs as, and how to start a program as that user. */
export interface PostgresAccount {
  /** Undefined when this process is an ordinary user: Postgres then runs as the same one. */
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
  command(program: string, args: readonly string[]): { program: string; args: readonly string[] };
}

/** Folders of ours that lead to the cluster; only these may be opened for passing through. */
export interface AccountPaths {
  readonly ownFolders: readonly string[];
  readonly cluster: string;
  readonly programs: readonly string[];
}

/**
 * Postgres refuses to run as root. A vault that runs as root therefore starts it as the user that owns the cluster
 * already, else `postgres`, else `nobody`. Where that user cannot reach the files (a clone or a data folder below
 * /root), it is given the one capability that lets it, instead of changing the rights of folders that are not ours.
 */
export function choosePostgresAccount(paths: AccountPaths): PostgresAccount {
  if (process.getuid?.() !== 0) {
    return { ids: undefined, command: (program, args) => ({ program, args }) };
  }
  const ids = ownerOf(paths.cluster) ?? lookUp('postgres') ?? lookUp('nobody');
  if (!ids) {
    throw new StartupError(
      'the embedded Postgres cannot run as root and there is no user "postgres" or "nobody"; start as an ordinary user or set DATABASE_URL',
    );
  }
  for (const folder of paths.ownFolders) chmodSync(folder, statSync(folder).mode | 0o011);
  const unreachable = [...paths.programs, path.dirname(paths.cluster)].find((file) => !canReach(file, ids));
  if (unreachable === undefined) {
    return { ids, command: (program, args) => ({ program, args }) };
  }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  if (!setpriv) {
    throw new StartupError(
      `the embedded Postgres cannot run as root, and the user it runs as cannot reach ${unreachable}; start as an ordinary user, move HEARTH_DATA and this program to folders that others may enter, or set DATABASE_URL`,
    );
  }
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const dropTo = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups', ...capability, '--'];
  return {
    ids,
    command: (program, args) => ({ program: setpriv, args: [...dropTo, program, ...args] }),
  };
}

/** setpriv drops to the account by itself; everything else is started with these ids. */
export function spawnIds(account: PostgresAccount, program: string): { uid?: number; gid?: number } {
  if (!account.ids || path.basename(program) === 'setpriv') return {};
  return account.ids;
}

function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

function lookUp(user: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Whether each folder on the way lets this user pass, and the last part be read. Knows modes, not access lists. */
function canReach(file: string, ids: { uid: number; gid: number }): boolean {
  for (let current = path.resolve(file); ; current = path.dirname(current)) {
    const stats = statSync(current, { throwIfNoEntry: false });
    if (!stats) return false;
    const shift = stats.uid === ids.uid ? 6 : stats.gid === ids.gid ? 3 : 0;
    if (((stats.mode >> shift) & 0o1) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
