import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

declare global {
  namespace Express {
    interface Request {
      /** Names this request in logs, in replies and in errors. Always made here, never taken from the caller. */
      id: string;
    }
  }
}

export interface RequestIdOptions {
  readonly newId?: () => string;
  /** The reply headers that carry the id. */
  readonly headers?: readonly string[];
}

/** Gives each request an id of our own, so that a caller can neither forge nor repeat one. */
export function requestId(options: RequestIdOptions = {}): RequestHandler {
  const newId = options.newId ?? randomUUID;
  const headers = options.headers ?? ['x-request-id'];
  return (request, response, next) => {
    request.id = newId();
    for (const header of headers) response.setHeader(header, request.id);
    next();
  };
}
