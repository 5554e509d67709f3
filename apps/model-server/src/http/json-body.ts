import express, { type Request, type RequestHandler } from 'express';

/**
 * Reads a JSON body of up to `limit` bytes, unpacked if need be. Its type is not asked for: the runner's clients and
 * plain curl send none or the wrong one.
 */
export function jsonBody(limit: number): RequestHandler[] {
  const empty = new WeakSet<object>();
  return [
    express.json({
      type: () => true,
      strict: false,
      limit,
      verify: (request, _response, bytes) => {
        if (bytes.length === 0) empty.add(request);
      },
    }),
    // The parser makes an object of an empty body; the caller must hear that the body is missing, not a field of it.
    (request: Request, _response, next) => {
      if (empty.has(request)) request.body = undefined;
      next();
    },
  ];
}
