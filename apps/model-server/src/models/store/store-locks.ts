import { type FileHandle, mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive, type LockHolder, parseHolder, thisHolder } from './lock-holder.js';
import type { StoreFolder } from './store-folder.js';

/** A holder touches its lock this often, so that those who cannot see its process know that it lives. */
const touchEveryMs = 5_000;
/**
 * A lock that was not touched for so long was left by a program that died. Another machine may see the touch late; a
 * container of this one, started again after a crash, should not have to wait.
 */
const deadAfterMs = { here: 20_000, elsewhere: 60_000 };
/** Taking a dead program's lock away is over in no time, unless that program dies too. */
const clearingMs = 10_000;
/** Asked often at first, because most locks are held for a moment; who waits for hours asks ten times a second. */
const askAgainMs = { first: 10, last: 100 };

export interface LockWait {
  /** Ends the waiting, not the work. */
  readonly signal?: AbortSignal;
  /** Told who holds the lock each time it could not be had; what it throws ends the waiting. */
  readonly onBusy: (holder: string, waitedMs: number) => void | Promise<void>;
}

/**
 * Locks that several servers on one store respect, each a small file that names its holder. The lock of a program that
 * was killed is taken over: its process is gone, or, where it ran elsewhere, its file is no longer touched.
 */
export class StoreLocks {
  constructor(private readonly folder: StoreFolder) {}

  /** Waits for the lock, then does the work while holding it. */
  async hold<T>(name: string, waiting: LockWait, work: () => Promise<T>): Promise<T> {
    const file = path.join(this.folder.own, 'locks', name);
    const own = await thisHolder();
    await this.waitFor(file, own, waiting);
    const touch = setInterval(() => void utimes(file, new Date(), new Date()).catch(ignore), touchEveryMs);
    touch.unref();
    try {
      return await work();
    } finally {
      clearInterval(touch);
      // Another server that found us asleep may have taken the lock over: then the file says something else. On a full
      // disk it may hold less than our name.
      if (JSON.stringify(own).startsWith(await read(file))) await rm(file, { force: true });
    }
  }

  private async waitFor(file: string, own: LockHolder, { signal, onBusy }: LockWait): Promise<void> {
    const begun = Date.now();
    for (let pauseMs = askAgainMs.first; ; pauseMs = Math.min(pauseMs * 2, askAgainMs.last)) {
      signal?.throwIfAborted();
      const other = await this.take(file, own);
      if (other === undefined) return;
      await onBusy(other, Date.now() - begun);
      await wait(pauseMs, undefined, { signal }).catch(ignore);
    }
  }

  /** Takes the lock, or says who has it. */
  private async take(file: string, own: LockHolder): Promise<string | undefined> {
    await mkdir(path.dirname(file), { recursive: true });
    if (await create(file, JSON.stringify(own))) return undefined;
    const text = await read(file);
    const holder = parseHolder(text);
    if (!(await isDead(file, holder))) return describe(holder);
    await this.clear(file, text);
    return (await create(file, JSON.stringify(own))) ? undefined : describe(parseHolder(await read(file)));
  }

  /** Takes a dead program's lock away: one at a time, or the second would take away the lock of the first. */
  private async clear(file: string, seen: string): Promise<void> {
    const clearing = `${file}.clearing`;
    if (!(await create(clearing, ''))) {
      if ((await ageOf(clearing)) > clearingMs) await rm(clearing, { force: true });
      return;
    }
    try {
      if ((await read(file)) === seen) await rm(file, { force: true });
    } finally {
      await rm(clearing, { force: true });
    }
  }
}

async function isDead(file: string, holder: LockHolder | undefined): Promise<boolean> {
  const alive = holder && (await isAlive(holder));
  if (alive !== undefined) return !alive;
  return (await ageOf(file)) > (holder?.host === hostname() ? deadAfterMs.here : deadAfterMs.elsewhere);
}

function describe(holder: LockHolder | undefined): string {
  return holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
}

/**
 * Makes the file unless it is there; that alone takes the lock. On a full disk our name does not fit into it, and still
 * what makes room must go on: the others then judge us by how often the file is touched.
 */
async function create(file: string, name: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await handle.writeFile(name).catch(ignore);
  await handle.close().catch(ignore);
  return true;
}

async function read(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

async function ageOf(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  return info ? Date.now() - info.mtimeMs : 0;
}

function ignore(): undefined {
  return undefined;
}
