import type { Readable } from 'node:stream';

export interface RangeReply {
  readonly body: Readable;
  /** False when the server ignored the range and sends everything from the start. */
  readonly partial: boolean;
  readonly start: number;
  readonly totalBytes: number | undefined;
}

/** Where the bytes of a download come from. Throws a TransferError. */
export interface DownloadSource {
  open(range: { readonly start: number; readonly end: number }, signal: AbortSignal): Promise<RangeReply>;
}
