import type { Request } from 'express';
import { type FrameFormat, newlineDelimitedJson, serverSentEvents } from '../../http/frame-writer.js';

/**
 * Streams unless told not to. Whoever asks for server-sent events by name gets them; the family's own clients never
 * do, and read one JSON object a line.
 */
export function streamFormat(request: Request, stream: boolean | null | undefined): FrameFormat | undefined {
  if (stream === false) return undefined;
  const accept = request.headers.accept ?? '';
  return /\btext\/event-stream\b/i.test(accept) ? serverSentEvents : newlineDelimitedJson;
}
