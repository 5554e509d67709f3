import express, { type Request, type RequestHandler } from 'express';
import { GenerationError } from '../generation/generation-error.js';

/** More than any sound request has, and little enough for everything that later walks through it by recursion. */
const maxDepth = 128;

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
    (request: Request, _response, next) => {
      // The parser makes an object of an empty body; the caller must hear that the body is missing, not a field of it.
      if (empty.has(request)) request.body = undefined;
      if (isDeeperThan(request.body, maxDepth)) {
        throw new GenerationError(
          'invalid-request',
          `the request body is nested deeper than ${maxDepth} levels`,
        );
      }
      next();
    },
  ];
}

/** Level by level and without recursion: a body may be nested deeper than the stack is high. */
function isDeeperThan(body: unknown, limit: number): boolean {
  let level: readonly object[] = isObject(body) ? [body] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limit) return true;
    level = level.flatMap((value) => Object.values(value).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
