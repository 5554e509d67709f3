import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { addAccessFacts } from '@hearth/service-kit/access-log';
import type { Request, Response } from 'express';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.js';
import { FrameWriter } from '../../http/frame-writer.js';
import { toGenerationError } from '../../http/to-generation-error.js';
import type { LibraryProgress, ReportProgress } from '../../models/pull/progress.js';
import { streamFormat } from './stream-format.js';

export type LibraryWork = (options: {
  readonly signal: AbortSignal;
  readonly report: ReportProgress;
}) => Promise<void>;

/** A connection that says nothing for minutes is cut by clients and proxies; the last line is then said again. */
const repeatMs = 20_000;

/**
 * Runs a long operation and tells its progress line by line. The head of the reply waits for the second line, so that
 * what fails at once (an unknown model, a full disk) is answered with a status of its own.
 */
export async function streamProgress(request: Request, response: Response, work: LibraryWork): Promise<void> {
  const signal = abortOnDisconnect(response);
  const format = streamFormat(request, request.body?.stream);
  if (!format) {
    await work({ signal, report: () => undefined });
    response.json({ status: 'success' } satisfies ProgressResponse);
    return;
  }
  const writer = new FrameWriter(response, format);
  const lines = new ProgressLines(writer);
  const repeat = setInterval(() => lines.repeat(), repeatMs);
  try {
    await work({ signal, report: (progress) => lines.add(renderProgress(progress)) });
    await lines.finish();
  } catch (error) {
    if (!lines.isOpen) throw error;
    const failure = toGenerationError(error);
    addAccessFacts(response, { error_code: failure.code });
    await lines.finish({ error: failure.message });
  } finally {
    clearInterval(repeat);
  }
  response.end();
}

export function renderProgress(progress: LibraryProgress): ProgressResponse {
  const { status, digest, totalBytes, completedBytes } = progress;
  return {
    status,
    ...(digest === undefined ? {} : { digest }),
    ...(totalBytes === undefined || totalBytes === 0 ? {} : { total: totalBytes }),
    ...(completedBytes === undefined || completedBytes === 0 ? {} : { completed: completedBytes }),
  };
}

class ProgressLines {
  isOpen = false;
  private waiting: object[] = [];
  private last: ProgressResponse | undefined;
  private isWriting = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly writer: FrameWriter) {}

  add(line: ProgressResponse): void {
    // A client that reads slowly gets fewer lines of a transfer, not a longer queue of old ones.
    const before = this.waiting.at(-1) as ProgressResponse | undefined;
    if (before?.digest !== undefined && before.digest === line.digest && this.isOpen) this.waiting.pop();
    this.waiting.push(line);
    if (this.last) this.flush();
    this.last = line;
  }

  repeat(): void {
    if (this.isOpen && this.last) this.add(this.last);
  }

  async finish(lastLine?: object): Promise<void> {
    if (lastLine) this.waiting.push(lastLine);
    this.open();
    await this.writing;
    await this.drain();
  }

  private flush(): void {
    this.open();
    if (this.isWriting) return;
    this.isWriting = true;
    this.writing = this.drain().finally(() => {
      this.isWriting = false;
    });
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.writer.open();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      await this.writer.write(lines.map((data) => ({ data })));
    }
  }
}
