import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BlobMarks } from '../store/blob-marks.js';
import type { BlobStore } from '../store/blob-store.js';
import { type Digest, digestHex } from '../store/digest.js';
import type { StoreFolder } from '../store/store-folder.js';
import type { StoreLocks } from '../store/store-locks.js';
import { type FreeBytes, requireFreeSpace } from './disk-space.js';
import type { DownloadTuning } from './download-file.js';
import { fetchInThread } from './fetch-in-thread.js';
import { type FetchJob, fetchToFile } from './fetch-to-file.js';
import { PartialFile } from './partial-file.js';
import { SharedWork } from './shared-work.js';
import type { ThreadWork } from './thread-messages.js';
import type { UrlSource } from './url-source.js';

export interface WantedBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly source: UrlSource;
}

export interface BlobDownloadOptions {
  readonly tuning: DownloadTuning;
  readonly freeBytes: FreeBytes;
  /** From this size on a download gets a thread of its own. */
  readonly threadFromBytes: number;
  /** The program of that thread. */
  readonly threadEntry: URL;
  readonly client: ThreadWork['client'];
}

/** Below this a thread costs more than it saves. */
export const defaultThreadFromBytes = 32 * 1024 * 1024;

/**
 * Brings blobs into the store: each verified before it gets its name, each fetched once however many ask for it, also
 * when they ask several servers that share the store.
 */
export class BlobDownloads {
  private readonly shared = new SharedWork<number>();

  constructor(
    private readonly folder: StoreFolder,
    private readonly blobs: BlobStore,
    private readonly locks: StoreLocks,
    private readonly fetched: BlobMarks,
    private readonly options: BlobDownloadOptions,
  ) {}

  /** Whether the blob is there in full; one of another length was left by a program that died. */
  async isThere(blob: { readonly digest: Digest; readonly sizeBytes: number }): Promise<boolean> {
    return (await this.blobs.sizeOf(blob.digest)) === blob.sizeBytes;
  }

  /** Throws before the first byte when what is missing cannot fit on the disk. */
  async requireSpaceFor(wanted: readonly WantedBlob[]): Promise<void> {
    let whole = 0;
    let begun = 0;
    for (const blob of wanted) {
      if (await this.isThere(blob)) continue;
      whole += blob.sizeBytes;
      begun += await PartialFile.leftBehind(this.partialPath(blob.digest), blob.sizeBytes);
    }
    const { root, blobs } = this.folder;
    await mkdir(root, { recursive: true });
    await requireFreeSpace(root, whole - begun, this.options.freeBytes);
    const ofBlobs = await stat(blobs).catch(() => undefined);
    if (ofBlobs && ofBlobs.dev !== (await stat(root)).dev) {
      await requireFreeSpace(blobs, whole, this.options.freeBytes);
    }
  }

  async fetch(
    blob: WantedBlob,
    options: { readonly signal: AbortSignal; readonly onProgress: (completedBytes: number) => void },
  ): Promise<void> {
    const { digest, sizeBytes } = blob;
    await this.shared.join(digest, options, (signal, report) => {
      // Another server is at it: its progress is ours, and so is the rest of the work if it dies or gives up.
      const onBusy = async () => {
        const bytes = await PartialFile.leftBehind(this.partialPath(digest), sizeBytes);
        if (bytes > 0) report(bytes);
      };
      return this.locks.hold(`download-${digestHex(digest)}`, { signal, onBusy }, () =>
        this.download(blob, signal, report),
      );
    });
  }

  /** A pull that was given up has come back for what it has already brought: its time to be kept begins anew. */
  async keepForLonger(digest: Digest): Promise<void> {
    await this.fetched.renew(digest);
  }

  /** Their pull is over: a model has them now, or they are gone. */
  async settle(digests: readonly Digest[]): Promise<void> {
    for (const digest of digests) await this.fetched.forget(digest);
  }

  private async download(
    blob: WantedBlob,
    signal: AbortSignal,
    report: (done: number) => void,
  ): Promise<void> {
    if (await this.isThere(blob)) return;
    const { sizeBytes, source } = blob;
    const isLarge = sizeBytes >= this.options.threadFromBytes;
    const job = {
      partialPath: this.partialPath(blob.digest),
      sizeBytes,
      digestHex: digestHex(blob.digest),
      tuning: this.options.tuning,
      mayBlock: isLarge,
    };
    if (isLarge) await this.fetchLarge(job, source, signal, report);
    else await fetchToFile(job, source, { signal, report });
    // The rest of its model may never come; then it is taken away again one day.
    await this.fetched.add(blob.digest);
    await this.folder.move(PartialFile.dataPath(job.partialPath), this.blobs.pathOf(blob.digest));
    await PartialFile.discardJournal(job.partialPath);
  }

  private async fetchLarge(
    job: FetchJob,
    source: UrlSource,
    signal: AbortSignal,
    report: (done: number) => void,
  ): Promise<void> {
    const { url, allowPlainHttp } = source.options;
    const work = { job, url: url.href, allowPlainHttp, client: this.options.client };
    await fetchInThread({ entry: this.options.threadEntry, work, source, signal, report });
  }

  private partialPath(digest: Digest): string {
    return path.join(this.folder.own, 'downloads', digestHex(digest));
  }
}
