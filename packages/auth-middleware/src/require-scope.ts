import type { RequestHandler } from 'express';
import { AuthenticationError, AuthorizationError } from './auth-errors.js';
import { holdsScope } from './holds-scope.js';

export interface RequireScopeOptions {
  /** All of these are needed. */
  readonly scopes: readonly [string, ...string[]];
  readonly realm: string;
}

/** Stands behind `requireToken`. Without a principal it refuses, so that a wrong order of middleware opens nothing. */
export function requireScope({ scopes, realm }: RequireScopeOptions): RequestHandler {
  return (request, _response, next) => {
    const { principal } = request;
    if (principal === undefined) throw new AuthenticationError('missing', realm, 'This needs a token.');
    if (!scopes.every((scope) => holdsScope(principal, scope))) throw new AuthorizationError(scopes, realm);
    next();
  };
}
