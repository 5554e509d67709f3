import { AuthenticationError } from '@hearth/auth-middleware/auth-errors';
import type { RequestHandler } from 'express';
import { realm } from '../identify-caller.js';
import { isOpenPath } from './open-paths.js';

/** Nobody passes here without a token or a session, whatever a route forgets to ask. */
export function requireCaller(): RequestHandler {
  return (request, _response, next) => {
    if (request.principal === undefined && !isOpenPath(request.path)) {
      throw new AuthenticationError('missing', realm, 'This needs a token.');
    }
    next();
  };
}
