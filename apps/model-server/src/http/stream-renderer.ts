import type { GenerationError } from '../generation/generation-error.js';
import type { GenerationEvent } from '../generation/generation-event.js';

/** One unit of a streamed reply. `data` is sent as JSON; a string goes as it is (`[DONE]`). */
export interface Frame {
  /** The event name of server-sent events; line-delimited JSON has none. */
  readonly event?: string;
  readonly data: unknown;
}

/**
 * Turns events into a dialect's frames: a pure state machine without a response inside, so that a test feeds events
 * and compares lists. `choice` tells the generations of one request apart; it is 0 unless several were asked for.
 */
export interface StreamRenderer {
  render(event: GenerationEvent, choice: number): readonly Frame[];
  /** After the last finish event: what closes the stream. */
  end(): readonly Frame[];
  /** The dialect's own way to say that a stream broke. */
  fail(error: GenerationError, requestId: string): readonly Frame[];
  /** A frame that keeps an idle connection alive and means nothing; server-sent events use a comment instead. */
  keepAlive?(): readonly Frame[];
}
