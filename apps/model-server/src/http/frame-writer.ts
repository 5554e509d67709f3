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

  /**
   * A promise only when the client reads too slowly: a stream writes a frame for every token, and a wait for nothing
   * costs as much as the frame.
   */
  write(frames: readonly Frame[]): Promise<void> | undefined {
    let text = '';
    for (const frame of frames) text += this.format.encode(frame);
    return text === '' ? undefined : this.send(text);
  }

  keepAlive(fallback: readonly Frame[]): Promise<void> | undefined {
    return this.format.keepAlive === undefined ? this.write(fallback) : this.send(this.format.keepAlive);
  }

  private send(text: string): Promise<void> | undefined {
    if (this.response.destroyed || this.response.writableEnded) return undefined;
    return this.response.write(text) ? undefined : this.drained();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
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
