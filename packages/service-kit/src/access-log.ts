import type { RequestHandler, Response } from 'express';
import type { Logger } from './logger.js';

/** Facts that a handler adds to the access line of its own request: token counts, durations, a principal's id. */
export function addAccessFacts(response: Response, facts: Readonly<Record<string, unknown>>): void {
  response.locals['accessFacts'] = { ...(response.locals['accessFacts'] as object | undefined), ...facts };
}

/**
 * One line for each request, written when the reply has ended or the client has gone. The path goes in without its
 * query, and nothing of headers or bodies does: those hold keys, prompts and secrets.
 */
export function accessLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const start = process.hrtime.bigint();
    const path = request.path;
    response.once('close', () => {
      const status = response.statusCode;
      const completed = response.writableFinished;
      const level = status >= 500 ? 'error' : 'info';
      logger[level](
        {
          request_id: request.id,
          method: request.method,
          path,
          status,
          duration_ms: Math.round(Number(process.hrtime.bigint() - start) / 1e4) / 100,
          ...(completed ? {} : { client_gone: true }),
          ...(response.locals['accessFacts'] as object | undefined),
        },
        `${request.method} ${path} ${status}`,
      );
    });
    next();
  };
}
