import type { Logger } from '@hearth/service-kit/logger';
import { GenerationError } from '../../generation/generation-error.js';
import type { ModelName } from '../model-name.js';
import type { BlobMarks } from './blob-marks.js';
import type { BlobStore } from './blob-store.js';
import type { Digest } from './digest.js';
import { blobsOf, type LayerDescriptor, type Manifest, parseManifest } from './manifest.js';
import type { ManifestStore, StoredManifest } from './manifest-store.js';
import type { ShardLinks } from './shard-links.js';
import type { StoreLocks } from './store-locks.js';

export interface PublishResult {
  /** Blobs that a manifest needs and the store does not hold (any more): nothing was published. */
  readonly missing: readonly LayerDescriptor[];
  /** Whether the name held another model before, whose own blobs are now gone. */
  readonly removedUnused: boolean;
}

/** Publishing and deleting are short; who waits longer than this waits for something that hangs. */
const patienceMs = 30_000;

/**
 * The only writer of names. Publishing and deleting go one after the other, also between servers that share the store,
 * so that a blob is never collected between the check that it is there and the manifest that needs it.
 */
export class ModelPublisher {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly manifests: ManifestStore,
    private readonly blobs: BlobStore,
    private readonly shards: ShardLinks,
    private readonly locks: StoreLocks,
    private readonly logger: Logger,
  ) {}

  async publish(name: ModelName, manifestText: string): Promise<PublishResult> {
    const manifest = parseManifest(manifestText);
    if (!manifest) throw new Error('a manifest of our own making cannot be read');
    return await this.oneAtATime(async () => {
      const missing = await this.missingBlobs(manifest);
      if (missing.length > 0) return { missing, removedUnused: false };
      const before = await this.manifests.find(name);
      await this.manifests.write(name, manifestText);
      const removed = before ? await this.collect(before) : 0;
      return { missing: [], removedUnused: removed > 0 };
    });
  }

  /** Deletes a model and every blob that no other model needs; false when it is not there (any more). */
  async remove(name: ModelName): Promise<boolean> {
    return await this.oneAtATime(async () => {
      const stored = await this.manifests.find(name);
      if (!stored) return false;
      await this.manifests.remove(stored);
      await this.collect(stored);
      return true;
    });
  }

  /** Takes back blobs that turned out to be of no use, unless a model needs them; false when all had to be kept. */
  async discard(digests: readonly Digest[]): Promise<boolean> {
    return (await this.oneAtATime(() => this.removeUnneeded(digests))) !== undefined;
  }

  /** Takes away what was marked before this time and never became part of a model. */
  async collectMarked(marks: BlobMarks, before: Date): Promise<void> {
    const old = await marks.olderThan(before);
    if (old.length === 0) return;
    if (!(await this.discard(old))) return;
    for (const digest of old) await marks.forget(digest);
  }

  /** How many there were to remove; undefined, and all are kept, when nobody can tell which are needed. */
  private async removeUnneeded(digests: readonly Digest[]): Promise<number | undefined> {
    const needed = await this.manifests.neededDigests().catch((error: unknown) => {
      this.logger.warn(
        { err: error },
        'a manifest of the store cannot be read: what it may need is kept on disk',
      );
      return undefined;
    });
    if (needed === undefined) return undefined;
    const unneeded = digests.filter((digest) => !needed.has(digest));
    for (const digest of unneeded) await this.blobs.remove(digest);
    return unneeded.length;
  }

  private async missingBlobs(manifest: Manifest): Promise<readonly LayerDescriptor[]> {
    const missing: LayerDescriptor[] = [];
    for (const blob of blobsOf(manifest)) {
      if ((await this.blobs.sizeOf(blob.digest)) !== blob.size) missing.push(blob);
    }
    return missing;
  }

  private async collect(gone: StoredManifest): Promise<number> {
    const remaining = await this.manifests.list();
    if (!remaining.some((stored) => stored.digest === gone.digest)) await this.shards.remove(gone.digest);
    return (await this.removeUnneeded(blobsOf(gone.manifest).map((blob) => blob.digest))) ?? 0;
  }

  private async oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const onBusy = (holder: string, waitedMs: number) => {
      if (waitedMs < patienceMs) return;
      throw new GenerationError('conflict', `the model store is being changed by another server (${holder})`);
    };
    const turn = this.last.then(() => this.locks.hold('names', { onBusy }, work));
    this.last = turn.catch(() => undefined);
    return await turn;
  }
}
