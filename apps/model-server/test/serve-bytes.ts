import type { IncomingMessage, ServerResponse } from 'node:http';

/** What goes wrong while bytes are served. */
export type Fault =
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'stall'; readonly afterBytes: number }
  | { readonly kind: 'pause'; readonly afterBytes: number; readonly until: Promise<void> }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'wrong-total'; readonly totalBytes: number }
  | { readonly kind: 'wrong-part' }
  | { readonly kind: 'no-ranges' };

/** Serves a file the way storage networks do, ranges included, or wrongly in the way a test asks for. */
export function serveBytes(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  fault?: Fault,
): void {
  if (fault?.kind === 'status') {
    if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
    response.writeHead(fault.status).end('no');
    return;
  }
  const range =
    fault?.kind === 'no-ranges' ? undefined : /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = range ? Math.min(Number(range[2]) + 1, content.length) : content.length;
  if (range && start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const shift = fault?.kind === 'wrong-part' ? 1 : 0;
  const total = fault?.kind === 'wrong-total' ? fault.totalBytes : content.length;
  response.writeHead(range ? 206 : 200, {
    'content-length': fault?.kind === 'wrong-total' && !range ? total : end - start,
    'accept-ranges': fault?.kind === 'no-ranges' ? 'none' : 'bytes',
    ...(range ? { 'content-range': `bytes ${start + shift}-${end - 1 + shift}/${total}` } : {}),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const part = content.subarray(start, end);
  switch (fault?.kind) {
    case 'cut':
      response.write(part.subarray(0, fault.afterBytes), () => response.destroy());
      break;
    case 'stall':
      response.write(part.subarray(0, fault.afterBytes));
      break;
    case 'pause':
      response.write(part.subarray(0, fault.afterBytes));
      void fault.until.then(() => response.end(part.subarray(fault.afterBytes)));
      break;
    default:
      response.end(part);
  }
}
