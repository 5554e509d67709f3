import type { Logger } from '@hearth/service-kit/logger';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { VaultError } from '../errors/vault-error.js';
import { problemContentType, problemOf } from './problem.js';
import { toVaultError } from './to-vault-error.js';

/** The only place where an error becomes a reply. Faults of ours are logged, without their text (see describe-error). */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    const error = toVaultError(thrown);
    // Being sealed is a state, told once when it begins; requests that meet it are no faults.
    if (error.status >= 500 && error.code !== 'sealed') {
      logger.error({ request_id: request.id, code: error.code, err: error.cause ?? error }, 'request failed');
    }
    if (response.headersSent) return next(thrown);
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    response
      .status(error.status)
      .set('cache-control', 'no-store')
      .type(problemContentType)
      .send(JSON.stringify(problemOf(error, request.id)));
  };
}

/** What no route took. Express would answer with a page that repeats the path. */
export function notFoundHandler(): RequestHandler {
  return () => {
    throw new VaultError('not_found');
  };
}
