import { addAccessFacts } from '@hearth/service-kit/access-log';
import type { Logger } from '@hearth/service-kit/logger';
import type { ErrorRequestHandler } from 'express';
import type { Dialect } from './dialect.js';
import { toGenerationError } from './to-generation-error.js';

/** The one place where an error becomes a reply, in the words of the family whose path was called. */
export function dialectErrorHandler(
  dialects: readonly [Dialect, ...Dialect[]],
  logger: Logger,
): ErrorRequestHandler {
  return (raised, request, response, _next) => {
    const error = toGenerationError(raised);
    addAccessFacts(response, { error_code: error.code });
    if (error.code === 'internal') logger.error({ err: error, request_id: request.id }, 'unexpected error');
    // The caller learns that another server failed; why it did is for whoever runs this one.
    if (error.code === 'upstream-failed') {
      logger.warn({ err: error, request_id: request.id }, 'another server did not answer as it should');
    }
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const dialect = dialects.find((candidate) => candidate.owns(request.path)) ?? dialects[0];
    const rendered = dialect.renderError(error, request.id);
    const challenge = error.facts['wwwAuthenticate'];
    if (challenge !== undefined) response.setHeader('www-authenticate', String(challenge));
    if (error.retryAfterSeconds !== undefined) {
      response.setHeader('retry-after', String(Math.ceil(error.retryAfterSeconds)));
    }
    for (const [name, value] of Object.entries(rendered.headers ?? {})) response.setHeader(name, value);
    response.status(rendered.status).json(rendered.body);
  };
}
