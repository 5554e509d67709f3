import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';

/** Others hold the lock for as long as it takes to write a few lines. */
const longestWaitMs = 2000;
const pauseMs = 50;

/**
 * Gives a file its next text, or makes it, with no other process doing the same meanwhile. The text is written to
 * `<file>.new`, whose making is the lock, and that takes the place of the file in one step: whoever is killed, at
 * whatever moment, leaves the old file whole or the new one. `decide` is asked for the text once nobody else can change
 * the file; undefined leaves it as it is. Owner, group and mode stay those of the file. Where it is a link, what that
 * leads to is replaced: a file in the place of the link would leave the old text where it is.
 */
export function replaceFileAlone(name: string, decide: () => string | undefined): boolean {
  let file = name;
  let ours: string | undefined;
  try {
    const before = statSync(name, { throwIfNoEntry: false });
    if (before !== undefined) {
      requireOwner(name, before);
      file = realpathSync(name);
    }
    const draft = `${file}.new`;
    const handle = openAlone(draft, file);
    ours = draft;
    try {
      const text = decide();
      if (text === undefined) return false;
      passOn(handle, before ?? firstOwner(file));
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    // From here on a file of this name is the lock of somebody else.
    ours = undefined;
    syncFolder(path.dirname(file));
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new StartupError(`cannot write the master key file ${file} (${code ?? 'unknown error'})`);
  } finally {
    if (ours !== undefined) rmSync(ours, { force: true });
  }
}

type Attributes = Pick<Stats, 'uid' | 'gid' | 'mode'>;

const isRoot = () => process.geteuid?.() === 0;

/** Only root can make a file of another: one that changes hands would be out of reach for the vault. */
function requireOwner(file: string, { uid }: Attributes): void {
  const own = process.geteuid?.();
  if (own === undefined || own === 0 || own === uid) return;
  throw new StartupError(`the master key file ${file} belongs to another user: run this as its owner`);
}

/** Root makes the file for whoever has the folder; all others for themselves. */
function firstOwner(file: string): Attributes | undefined {
  return isRoot() ? { ...statSync(path.dirname(file)), mode: 0o600 } : undefined;
}

function passOn(handle: number, attributes: Attributes | undefined): void {
  if (attributes === undefined || process.geteuid === undefined) return;
  try {
    fchownSync(handle, attributes.uid, attributes.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    throw new StartupError(
      `the master key file belongs to group ${attributes.gid}, and you are not in it: run this as root`,
    );
  }
  fchmodSync(handle, attributes.mode & 0o777);
}

function openAlone(draft: string, file: string): number {
  for (let waited = 0; ; waited += pauseMs) {
    try {
      return openSync(draft, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (waited >= longestWaitMs) {
      throw new StartupError(
        `another command is changing the master key file ${file}, or was killed while it did: if none is running, remove ${draft}, which nothing uses, and try again`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
