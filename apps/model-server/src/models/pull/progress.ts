import type { Digest } from '../store/digest.js';

/** What a long operation on the library says of itself, in the runner family's words. */
export interface LibraryProgress {
  readonly status: string;
  readonly digest?: Digest;
  readonly totalBytes?: number;
  readonly completedBytes?: number;
}

export type ReportProgress = (progress: LibraryProgress) => void;

const intervalMs = 60;

/** Lets through at most one report of a transfer in 60 ms, and always the latest in the end. */
export class ThrottledProgress {
  private sentAt = 0;
  private sent: number | undefined;
  private pending: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (completedBytes: number) => void) {}

  update(completedBytes: number): void {
    const wait = this.sentAt + intervalMs - Date.now();
    if (wait <= 0) {
      this.send(completedBytes);
      return;
    }
    this.pending = completedBytes;
    this.timer ??= setTimeout(() => this.send(this.pending ?? completedBytes), wait);
  }

  /** Nothing is reported after this, besides what is handed over here. */
  finish(completedBytes: number | undefined): void {
    clearTimeout(this.timer);
    if (completedBytes !== undefined) this.send(completedBytes);
  }

  private send(completedBytes: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (completedBytes === this.sent) return;
    this.sentAt = Date.now();
    this.sent = completedBytes;
    this.report(completedBytes);
  }
}
