import type { Response } from 'express';
import type { Frame } from './stream-renderer.js';

/** How frames travel: server-sent events, or one JSON object a line. */
export interface FrameFormat {
  readonly contentType: string;
  encode(frame: Frame): string;
  /** What keeps an idle connection alive where the format itself has a way; otherwise the renderer is asked. */
  readonly keepAlive?: string;
}

export const serverSentEvents: FrameFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  encode: ({ event, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
  },
  // A comment: every client library skips it, while an unknown event makes some of them throw.
  keepAlive: ': ping\n\n',
};

export const newlineDelimitedJson: FrameFormat = {
  contentType: 'application/x-ndjson',
  encode: ({ data }) => `${JSON.stringify(data)}\n`,
};

/** Writes frames and waits when the client reads slower than the model writes. */
export class FrameWriter {
  constructor(
    private readonly response: Response,
    private readonly format: FrameFormat,
  ) {}

  /** Sends the head of the reply at once, so that clients with a header time-out see that work has begun. */
  open(): void {
    this.response.status(200);
    this.response.setHeader('content-type', this.format.contentType);
    // A proxy that buffers would hold the tokens back.
    this.response.setHeader('x-accel-buffering', 'no');
    this.response.flushHeaders();
  }

  async write(frames: readonly Frame[]): Promise<void> {
    if (frames.length === 0) return;
    await this.send(frames.map((frame) => this.format.encode(frame)).join(''));
  }

  async keepAlive(fallback: readonly Frame[]): Promise<void> {
    if (this.format.keepAlive === undefined) await this.write(fallback);
    else await this.send(this.format.keepAlive);
  }

  private async send(text: string): Promise<void> {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (this.response.write(text)) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        this.response.off('drain', settle);
        this.response.off('close', settle);
        resolve();
      };
      this.response.once('drain', settle);
      this.response.once('close', settle);
    });
  }
}
