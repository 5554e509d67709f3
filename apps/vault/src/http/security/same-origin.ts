import type { Request, RequestHandler } from 'express';
import { VaultError } from '../../errors/vault-error.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Stops other sites from using a browser's session. Every change that rests on a cookie must come from the console's
 * own pages: the browser says so (Sec-Fetch-Site, or Origin where a browser lacks it), and a header is there that
 * another site cannot send without asking first. Requests with a token carry no cookie and need none of it.
 */
export function sameOrigin(publicUrl: string): RequestHandler {
  const origin = new URL(publicUrl).origin;
  return (request, _response, next) => {
    if (request.browserSession && !safeMethods.has(request.method)) {
      if (!cameFromOurPages(request, origin)) {
        throw new VaultError('csrf_failed', 'Changes with a session must come from the console itself.');
      }
      if (request.get('x-hearth-console') !== '1') {
        throw new VaultError('csrf_failed', 'Changes with a session need the header "X-Hearth-Console: 1".');
      }
    }
    next();
  };
}

function cameFromOurPages(request: Request, origin: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return request.get('origin') === origin;
}
