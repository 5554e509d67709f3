import type { RequestHandler } from 'express';

/**
 * Cuts a request whose body is not whole in time, so that slow senders cannot pile up. Uploads of models are let
 * through: they are as long as the file, and only may not fall silent.
 */
export function bodyDeadline(options: {
  readonly wholeBodyMs: number;
  readonly silenceMs: number;
  readonly isUpload: (path: string) => boolean;
}): RequestHandler {
  return (request, _response, next) => {
    if (options.isUpload(request.path)) {
      request.setTimeout(options.silenceMs, () => {
        if (!request.complete) request.destroy();
      });
      next();
      return;
    }
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy();
    }, options.wholeBodyMs);
    timer.unref();
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    next();
  };
}
