import { type DownloadTuning, downloadFile } from './download-file.js';
import type { DownloadSource } from './download-source.js';
import { PartialFile } from './partial-file.js';
import { TransferError } from './transfer-error.js';

/** One blob to be brought to disk, in words that can be sent to a thread. */
export interface FetchJob {
  /** Where the partial file lies, without its ending. */
  readonly partialPath: string;
  readonly sizeBytes: number;
  readonly digestHex: string;
  readonly tuning: DownloadTuning;
  /** Whether the thread may stand still while the disk writes. */
  readonly mayBlock: boolean;
}

/** Fills the partial file, verifies it and leaves it on disk for good; what can be used again is kept on failure. */
export async function fetchToFile(
  job: FetchJob,
  source: DownloadSource,
  options: { readonly signal: AbortSignal; readonly report: (completedBytes: number) => void },
): Promise<void> {
  const { signal, report } = options;
  const { tuning, digestHex } = job;
  const file = await PartialFile.open(job.partialPath, job.sizeBytes, job.mayBlock);
  try {
    const resumed = file.bytesOnDisk > 0;
    report(file.bytesOnDisk);
    const onProgress = () => report(file.bytesOnDisk);
    const fill = async () => {
      await downloadFile({ file, source, tuning, signal, onProgress });
      // What was hashed from memory says nothing of the file.
      if (file.gaps().length > 0) throw new Error('a part of the download did not reach the disk');
    };
    await fill();
    if ((await file.digestHex(signal)) !== digestHex) {
      await file.forget();
      // What an earlier run left may have been torn by a loss of power; a fresh download then comes out right.
      if (resumed) await fill();
      if (!resumed || (await file.digestHex(signal)) !== digestHex) {
        await file.discard();
        throw new TransferError('digest mismatch, file must be downloaded again', { retryable: false });
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
