import type { GenerationErrorCode } from '../generation/generation-error.js';

/** The status that each error has in every family; a dialect overrides only where its own clients expect another. */
export const errorStatus: Readonly<Record<GenerationErrorCode, number>> = {
  'invalid-request': 400,
  unsupported: 400,
  unauthenticated: 401,
  forbidden: 403,
  'host-not-allowed': 403,
  'path-not-found': 404,
  'method-not-allowed': 405,
  'body-too-large': 413,
  'unsupported-encoding': 415,
  'model-not-found': 404,
  conflict: 409,
  'context-overflow': 400,
  overloaded: 503,
  'does-not-fit': 500,
  'model-unloadable': 500,
  'engine-crashed': 500,
  'upstream-failed': 502,
  // Nobody reads it, but the access log shows it: the client left first.
  cancelled: 499,
  stopping: 503,
  internal: 500,
};

/** Server errors that would come back just the same: client libraries must not try again by themselves. */
const hopeless: ReadonlySet<GenerationErrorCode> = new Set(['does-not-fit', 'model-unloadable']);

/** The headers that tell the official client libraries whether a retry makes sense. */
export function retryHeaders(code: GenerationErrorCode): Record<string, string> {
  return hopeless.has(code) ? { 'x-should-retry': 'false' } : {};
}
