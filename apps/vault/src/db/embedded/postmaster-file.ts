import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

export interface RunningPostmaster {
  readonly pid: number;
  /** The folder of its socket and the number in the socket's name: what a client needs to connect. */
  readonly socketFolder: string;
  readonly port: number;
}

/**
 * Reads the file in which a Postgres server says that it runs on a cluster. The file outlives a server that was
 * killed, so the process it names is looked at too.
 */
export function readPostmasterFile(cluster: string): RunningPostmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isServerOf(cluster, pid)) return undefined;
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? '' };
}

/**
 * Removes the file of a server that is gone. Postgres does so itself, unless another program of the same user has
 * got the number in the meantime; it would then refuse to start for ever.
 */
export function removeStalePostmasterFile(cluster: string): void {
  if (readPostmasterFile(cluster) === undefined)
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** After a restart of the machine or container another program may have the number, and would be taken for ours. */
function isServerOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return path.basename(program) === 'postgres' && args.includes(cluster);
  } catch {
    return true;
  }
}
