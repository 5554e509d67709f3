import type { RequestHandler } from 'express';
import { tokenPrefix } from '../../crypto/api-token.js';
import type { ExposedTokens } from '../../tokens/exposed-tokens.js';

export function hasTokenInUrl(url: string): boolean {
  return url.includes(tokenPrefix);
}

/** A token in an address opens nothing: nobody looks for one there but this rule, which tells its owner. */
export function tokenInUrl(exposed: ExposedTokens): RequestHandler {
  return async (request, _response, next) => {
    if (hasTokenInUrl(request.originalUrl)) await exposed.note(request.originalUrl, request.ip);
    next();
  };
}
