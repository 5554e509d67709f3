import type { RequestHandler } from 'express';
import { GenerationError } from '../generation/generation-error.js';

/** The last route: whatever nobody else has answered. */
export const unknownPath: RequestHandler = (request) => {
  throw new GenerationError('path-not-found', `there is nothing at ${request.method} ${request.path}`);
};

/** Goes after the handlers of a path and answers every other method. */
export function onlyMethods(...methods: readonly string[]): RequestHandler {
  return (request, response) => {
    response.setHeader('allow', methods.join(', '));
    throw new GenerationError('method-not-allowed', `${request.path} answers ${methods.join(', ')} only`);
  };
}
