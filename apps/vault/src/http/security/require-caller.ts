import { AuthenticationError } from '@hearth/auth-middleware/auth-errors';
import type { RequestHandler } from 'express';
import { realm } from '../identify-caller.js';

/** Reports of leaked tokens come from strangers, and that is their use. */
const openPaths = new Set(['/api/secrets/leaks']);

/** Nobody passes here without a token or a session, whatever a route forgets to ask. */
export function requireCaller(): RequestHandler {
  return (request, _response, next) => {
    if (request.principal === undefined && !openPaths.has(`${request.baseUrl}${request.path}`)) {
      throw new AuthenticationError('missing', realm, 'This needs a token.');
    }
    next();
  };
}
