import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFile } from './sync-file.js';

const draftEnding = '.draft';

/**
 * The places inside one store. `manifests/` and `blobs/` are laid out like the runner's own store, so either program
 * can serve what the other fetched; what is only ours stays in `.hearth/`.
 */
export class StoreFolder {
  constructor(readonly root: string) {}

  get manifests(): string {
    return path.join(this.root, 'manifests');
  }

  get blobs(): string {
    return path.join(this.root, 'blobs');
  }

  get own(): string {
    return path.join(this.root, '.hearth');
  }

  /** Makes a file appear whole or not at all, also when the machine loses power in between. */
  async publish(target: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    const draft = await this.draftPath();
    try {
      const file = await open(draft, 'wx', mode);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.move(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Moves a finished file to its place, where it appears in one step. */
  async move(draft: string, target: string): Promise<void> {
    await mkdir(path.dirname(target), { recursive: true });
    try {
      await rename(draft, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      await moveToOtherDisk(draft, target);
    }
    await syncFolder(path.dirname(target));
  }

  /** Takes away what programs that died have left: drafts of a day ago, downloads that nobody took up for a month. */
  async tidy(now: Date): Promise<void> {
    const day = 24 * 60 * 60 * 1000;
    await removeOlderThan(path.join(this.own, 'drafts'), now.getTime() - day);
    await removeOlderThan(path.join(this.own, 'downloads'), now.getTime() - 30 * day);
    await removeOlderThan(this.blobs, now.getTime() - day, draftEnding);
  }

  async draftPath(): Promise<string> {
    const folder = path.join(this.own, 'drafts');
    await mkdir(folder, { recursive: true });
    return path.join(folder, randomUUID());
  }
}

/** `blobs/` may be a link to another disk, where a copy of the file grows under a name that is nobody's. */
async function moveToOtherDisk(draft: string, target: string): Promise<void> {
  const copy = `${target}.${randomUUID()}${draftEnding}`;
  try {
    await copyFile(draft, copy);
    await syncFile(copy);
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(draft, { force: true });
}

async function removeOlderThan(folder: string, time: number, ending = ''): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(ending))) {
    const file = path.join(folder, name);
    const info = await stat(file).catch(() => undefined);
    if (info && info.mtimeMs < time) await rm(file, { force: true });
  }
}

/** A rename survives a crash only once its folder is on disk. Some file systems cannot do it; then nothing is lost. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    return;
  }
}
