import type { Response } from 'express';
import { GenerationError } from '../generation/generation-error.js';

/** A signal that fires when the client has gone before its reply was whole: nobody reads what would still be made. */
export function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      controller.abort(new GenerationError('cancelled', 'the client closed the connection'));
    }
  });
  return controller.signal;
}
