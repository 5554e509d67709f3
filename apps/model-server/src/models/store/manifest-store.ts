import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isValidModelName, type ModelName, modelNameKey } from '../model-name.js';
import { type Digest, digestOf, digestsIn } from './digest.js';
import { blobsOf, type Manifest, parseManifest } from './manifest.js';
import type { StoreFolder } from './store-folder.js';

export interface StoredManifest {
  /** Spelled as on disk, whatever the caller's upper and lower case. */
  readonly name: ModelName;
  readonly path: string;
  readonly manifest: Manifest;
  /** Byte for byte as it is kept. */
  readonly text: string;
  readonly digest: Digest;
  readonly modifiedAt: Date;
}

const maxManifestBytes = 4 * 1024 * 1024;

/** The names of a store: `manifests/<host>/<namespace>/<model>/<tag>`, one small file each. */
export class ManifestStore {
  constructor(private readonly folder: StoreFolder) {}

  async list(): Promise<readonly StoredManifest[]> {
    const found: StoredManifest[] = [];
    for (const name of await this.validNames()) {
      const stored = await this.read(name);
      if (stored) found.push(stored);
    }
    return found;
  }

  async find(name: ModelName): Promise<StoredManifest | undefined> {
    const exact = await this.read(name);
    if (exact) return exact;
    const key = modelNameKey(name);
    for (const candidate of await this.validNames()) {
      if (modelNameKey(candidate) === key) return await this.read(candidate);
    }
    return undefined;
  }

  /** Publishes a manifest; an existing spelling of the same name is replaced, never doubled. */
  async write(name: ModelName, text: string): Promise<void> {
    const existing = await this.find(name);
    await this.folder.publish(existing?.path ?? this.pathOf(name), text);
  }

  async remove(stored: StoredManifest): Promise<void> {
    await rm(stored.path);
    // Empty folders go too, up to the host; one that is not empty ends the walk.
    let folder = path.dirname(stored.path);
    for (let level = 0; level < 3; level += 1) {
      try {
        await rmdir(folder);
      } catch {
        return;
      }
      folder = path.dirname(folder);
    }
  }

  /**
   * The blobs that the files below `manifests/` name, whatever we make of those files: another runner may read what we
   * cannot. Throws where a file cannot be looked into, for then nobody knows what it needs.
   */
  async neededDigests(): Promise<ReadonlySet<Digest>> {
    const needed = new Set<Digest>();
    for (const place of await this.places(entriesOf)) {
      const text = await unlessAbsent(readFile(path.join(this.folder.manifests, ...place), 'utf8'), '');
      const manifest = parseManifest(text);
      const digests = manifest ? blobsOf(manifest).map((blob) => blob.digest) : digestsIn(text);
      for (const digest of digests) needed.add(digest);
    }
    return needed;
  }

  private pathOf(name: ModelName): string {
    if (!isValidModelName(name)) throw new Error('a name reached the store unchecked');
    return path.join(this.folder.manifests, name.host, name.namespace, name.model, name.tag);
  }

  private async read(name: ModelName): Promise<StoredManifest | undefined> {
    const file = this.pathOf(name);
    try {
      const info = await stat(file);
      if (!info.isFile() || info.size > maxManifestBytes) return undefined;
      const text = await readFile(file, 'utf8');
      const manifest = parseManifest(text);
      return manifest && { name, path: file, manifest, text, digest: digestOf(text), modifiedAt: info.mtime };
    } catch {
      return undefined;
    }
  }

  private async validNames(): Promise<readonly ModelName[]> {
    const places = await this.places((folder) => entriesOf(folder).catch(() => []));
    return places
      .map(([host, namespace, model, tag]) => ({ host, namespace, model, tag }))
      .filter(isValidModelName);
  }

  private async places(entries: typeof entriesOf): Promise<readonly Place[]> {
    const places: Place[] = [];
    const root = this.folder.manifests;
    for (const host of await entries(root)) {
      for (const namespace of await entries(path.join(root, host))) {
        for (const model of await entries(path.join(root, host, namespace))) {
          for (const tag of await entries(path.join(root, host, namespace, model))) {
            places.push([host, namespace, model, tag]);
          }
        }
      }
    }
    return places;
  }
}

/** The parts of a path below `manifests/`: host, namespace, model, tag. */
type Place = readonly [string, string, string, string];

async function entriesOf(folder: string): Promise<readonly string[]> {
  return await unlessAbsent(readdir(folder), []);
}

/** A file among folders, a folder among files, and what went in the meantime, are not there. */
async function unlessAbsent<T>(work: Promise<T>, absent: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return absent;
    throw error;
  }
}
