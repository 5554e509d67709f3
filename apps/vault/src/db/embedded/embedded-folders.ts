import { createHash, randomBytes } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import { StartupError } from '@hearth/service-kit/startup-error';

/** Where everything of the embedded server lies, below the vault's data folder. */
export interface EmbeddedFolders {
  readonly root: string;
  readonly cluster: string;
  readonly socket: string;
  readonly log: string;
  readonly passwordFile: string;
}

type Ids = { readonly uid: number; readonly gid: number } | undefined;

/** The system's limit on the length of a socket's address, less the name of the socket itself. */
const longestSocketFolder = 80;

export function embeddedFolders(dataFolder: string): EmbeddedFolders {
  const root = path.join(dataFolder, 'vault', 'postgres');
  const socket = path.join(root, 'run');
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return {
    root,
    cluster: path.join(root, 'cluster'),
    socket:
      Buffer.byteLength(socket) <= longestSocketFolder ? socket : path.join(tmpdir(), `hearth-${digest}`),
    log: path.join(root, 'postgres.log'),
    passwordFile: path.join(root, 'password'),
  };
}

/** Makes the folders, private to the account that Postgres runs as. */
export function makeEmbeddedFolders(folders: EmbeddedFolders, ids: Ids): void {
  for (const folder of [folders.root, folders.socket]) {
    ensureWritableFolder(folder);
    if (ids) chownSync(folder, ids.uid, ids.gid);
  }
  // The fallback lies in a folder that others may write to: make sure that nobody put a link in our place.
  const stats = lstatSync(folders.socket);
  const owner = ids?.uid ?? process.getuid?.();
  if (!stats.isDirectory() || stats.uid !== owner || (stats.mode & 0o077) !== 0) {
    throw new StartupError(
      `${folders.socket} belongs to someone else; remove it or set HEARTH_DATA to a shorter path`,
    );
  }
}

/** Leaves nothing behind outside the data folder. */
export function removeSocketFallback({ root, socket }: EmbeddedFolders): void {
  if (!socket.startsWith(root)) rmSync(socket, { recursive: true, force: true });
}

/** The password of the embedded server, made once and readable by nobody else. */
export function embeddedPassword({ passwordFile }: EmbeddedFolders, ids: Ids): string {
  try {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
    if (ids) chownSync(passwordFile, ids.uid, ids.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(passwordFile, 'utf8').trim();
}

export function makeClusterFolder(folder: string, ids: Ids): void {
  mkdirSync(folder, { mode: 0o700 });
  if (ids) chownSync(folder, ids.uid, ids.gid);
}
