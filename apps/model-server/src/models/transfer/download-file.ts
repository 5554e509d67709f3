import { setTimeout as wait } from 'node:timers/promises';
import { BackOff, patientRetries, type RetryPolicy } from './back-off.js';
import { chunkBytes } from './chunk-journal.js';
import type { DownloadSource, RangeReply } from './download-source.js';
import { eachPart } from './each-part.js';
import type { PartWriter } from './part-writer.js';
import type { PartialFile } from './partial-file.js';
import { RingWriter } from './ring-writer.js';
import { type Span, SpanPlan } from './span-plan.js';
import { TransferError } from './transfer-error.js';
import { WriteBehind } from './write-behind.js';
import { WriteThrough } from './write-through.js';

export interface DownloadTuning {
  readonly connections: number;
  readonly spanBytes: number;
  /** An idle connection takes over from one on which nothing has moved for this long. */
  readonly takeOverAfterMs: number;
  readonly retries: RetryPolicy;
}

export const defaultTuning: DownloadTuning = {
  connections: 8,
  spanBytes: 64 * chunkBytes,
  takeOverAfterMs: 5_000,
  retries: patientRetries,
};

/** How often the first connection is looked at. */
const rateCheckMs = 100;

/** One that looks slow once may only have waited for its first byte, or for the thread that hashes to start. */
const slowChecksInARow = 2;

/** From here on the hash is the slower part on most machines, and more connections cannot help. */
const fastBytesPerSecond = 250_000_000;

class RangesIgnored extends Error {}

/** Fills a partial file from its source: several ranges at once, each resumed where it broke off. */
export async function downloadFile(options: {
  readonly file: PartialFile;
  readonly source: DownloadSource;
  readonly tuning: DownloadTuning;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}): Promise<void> {
  const download = new FileDownload(options.file, options.source, options.tuning, options.onProgress);
  try {
    await download.inRanges(options.signal);
  } catch (error) {
    if (!(error instanceof RangesIgnored)) throw error;
    await download.inOnePiece(options.signal);
  }
}

class FileDownload {
  constructor(
    private readonly file: PartialFile,
    private readonly source: DownloadSource,
    private readonly tuning: DownloadTuning,
    private readonly onProgress: () => void,
  ) {}

  async inRanges(signal: AbortSignal): Promise<void> {
    const { connections, spanBytes, takeOverAfterMs } = this.tuning;
    // Small files are split too, so that every connection has something to do.
    const even = Math.ceil(this.file.sizeBytes / connections / chunkBytes) * chunkBytes;
    const plan = new SpanPlan(this.file.gaps(), {
      spanBytes: Math.max(chunkBytes * 4, Math.min(spanBytes, even)),
      takeOverAfterMs,
    });
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const finished = new AbortController();
    const connect = async () => {
      try {
        await this.work(plan, either, finished);
      } catch (error) {
        // The first failure ends them all, and is the one that is told.
        if (!stop.signal.aborted) stop.abort(error);
      }
    };
    const first = connect();
    await this.untilSlow(AbortSignal.any([either, finished.signal]));
    this.file.closeRing();
    await Promise.all([first, ...Array.from({ length: connections - 1 }, connect)]);
    signal.throwIfAborted();
    if (stop.signal.aborted) throw stop.signal.reason;
  }

  /**
   * One connection that is as fast as this machine can take it brings the bytes in order, so that the hash follows
   * close behind; more of them would only get in each other's way. Anything slower gets all its connections.
   */
  private async untilSlow(over: AbortSignal): Promise<void> {
    for (let slowChecks = 0; slowChecks < slowChecksInARow; ) {
      const before = this.file.bytesOnDisk;
      await wait(rateCheckMs, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) return;
      const isFast = this.file.bytesOnDisk - before >= fastBytesPerSecond * (rateCheckMs / 1000);
      slowChecks = isFast ? 0 : slowChecks + 1;
    }
  }

  private async work(plan: SpanPlan, signal: AbortSignal, finished: AbortController): Promise<void> {
    while (!plan.finished) {
      const span = plan.take(Date.now());
      if (!span) {
        await this.idle(AbortSignal.any([signal, finished.signal]));
        signal.throwIfAborted();
        continue;
      }
      const backOff = new BackOff(this.tuning.retries, signal);
      while (span.position < span.end) {
        try {
          await this.fetch(span, backOff, signal);
        } catch (error) {
          // All of it came, and the connection was cut; what the disk says is another matter.
          const isWhole = span.position >= span.end && error instanceof TransferError;
          if (isWhole && !signal.aborted) break;
          await backOff.afterFailure(error);
        }
      }
      plan.done(span);
      if (plan.finished) finished.abort();
    }
  }

  /** A while later another connection may be stuck and its part free to take over. */
  private async idle(wake: AbortSignal): Promise<void> {
    await wait(Math.min(1000, this.tuning.takeOverAfterMs), undefined, { signal: wake }).catch(
      () => undefined,
    );
  }

  private async fetch(span: Span, backOff: BackOff, signal: AbortSignal): Promise<void> {
    const connection = new AbortController();
    span.cut = () => connection.abort(new Error('another connection took over'));
    const reply = await this.source.open(
      { start: span.position, end: span.end },
      AbortSignal.any([signal, connection.signal]),
    );
    if (!reply.partial) {
      reply.body.destroy();
      throw new RangesIgnored();
    }
    this.checkLength(reply);
    if (reply.start !== span.position) {
      reply.body.destroy();
      throw new TransferError('the server sent another part than the one asked for', { retryable: false });
    }
    await this.receive(reply, span, backOff);
  }

  /** For a server that knows no ranges: from the start each time, because there is no other way. */
  async inOnePiece(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.tuning.retries, signal);
    for (;;) {
      await this.file.forget();
      this.onProgress();
      const span: Span = { position: 0, end: this.file.sizeBytes, movedAt: 0 };
      try {
        const reply = await this.source.open({ start: 0, end: span.end }, signal);
        this.checkLength(reply);
        await this.receive(reply, span, new BackOff(this.tuning.retries, signal));
        if (span.position === span.end) return;
      } catch (error) {
        await backOff.afterFailure(error);
      }
    }
  }

  private checkLength(reply: RangeReply): void {
    if (reply.totalBytes === undefined || reply.totalBytes === this.file.sizeBytes) return;
    reply.body.destroy();
    throw new TransferError(
      `the server has ${reply.totalBytes} bytes where ${this.file.sizeBytes} were announced`,
      { retryable: false },
    );
  }

  private async receive(reply: RangeReply, span: Span, backOff: BackOff): Promise<void> {
    const writer = this.writerAt(span.position);
    const isEnough = () => span.position >= span.end;
    const take = (received: Buffer) => {
      const part = received.subarray(0, Math.max(0, span.end - span.position));
      span.position += part.length;
      span.movedAt = Date.now();
      backOff.reset();
      return writer.add(part);
    };
    try {
      await eachPart(reply.body, { room: () => writer.room(), take, isEnough });
    } catch (error) {
      throw new TransferError('the connection broke off', { retryable: true, cause: error });
    } finally {
      reply.body.destroy();
      // What has arrived is kept, whatever ended the connection.
      await writer.finish();
    }
    if (span.position < span.end) {
      throw new TransferError('the connection ended too early', { retryable: true });
    }
  }

  private writerAt(position: number): PartWriter {
    const { file, onProgress } = this;
    const ring = file.ringAt(position);
    if (ring) return new RingWriter(ring, file, onProgress);
    if (file.mayBlock) return new WriteThrough(file, position, onProgress);
    return new WriteBehind(position, async (content, at) => {
      await file.write(content, at);
      onProgress();
    });
  }
}
