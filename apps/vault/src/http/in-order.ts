import type { Request, RequestHandler, Response } from 'express';

/**
 * A handler for the requests of some paths: `/api` means `/api` and all below it, in any case. The handler sees the
 * whole URL: its prefix is not taken off.
 */
export interface Step {
  readonly under: '/' | `/${string}`;
  readonly handle: RequestHandler;
}

/**
 * One handler that runs many, each for the paths it is meant for. A router would do the same, but it takes the prefix
 * off the URL and puts it back for each handler, and leaves the last one only in the next turn of the event loop:
 * every request would pay for that.
 */
export function inOrder(steps: readonly Step[]): RequestHandler {
  const places = steps.map(({ under, handle }) => ({ prefix: under === '/' ? '' : under, handle }));
  return (request, response, done) => {
    const path = request.path.toLowerCase();
    let index = 0;
    const next = (error?: unknown): void => {
      const failed = error !== undefined && error !== null;
      let place = places[index];
      while (place !== undefined && !isUnder(path, place.prefix)) {
        index += 1;
        place = places[index];
      }
      index += 1;
      if (failed || place === undefined) done(error);
      else run(place.handle, request, response, next);
    };
    next();
  };
}

function isUnder(path: string, prefix: string): boolean {
  return (
    path.startsWith(prefix) && (path.length === prefix.length || prefix === '' || path[prefix.length] === '/')
  );
}

/** What a handler throws, at once or later, ends the request as an error, as it does in a router. */
function run(
  handle: RequestHandler,
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
): void {
  try {
    const running: unknown = handle(request, response, next);
    if (running instanceof Promise) running.catch((error: unknown) => next(error ?? new Error('rejected')));
  } catch (error) {
    next(error);
  }
}
