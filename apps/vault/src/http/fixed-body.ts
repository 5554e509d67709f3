import { gzipSync } from 'node:zlib';
import type { Response } from 'express';

/** A body that is the same for everybody, compressed once. */
export interface FixedBody {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

export function fixedBody(content: Buffer | string): FixedBody {
  const plain = Buffer.from(content);
  return { plain, gzip: gzipSync(plain, { level: 9 }) };
}

/** Sends it compressed to whoever takes that. It holds nothing of anybody, so its size tells nothing. */
export function sendFixedBody(response: Response, { plain, gzip }: FixedBody): void {
  response.vary('accept-encoding');
  const takesGzip = response.req.acceptsEncodings('gzip') === 'gzip';
  if (takesGzip && gzip.length < plain.length) response.set('content-encoding', 'gzip').send(gzip);
  else response.send(plain);
}
