import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { commonHeaders } from './api-headers.js';

/** The nonce that the styles of this one page carry. */
export function cspNonceOf(response: Response): string {
  return String(response.locals['cspNonce'] ?? '');
}

/**
 * For the console's pages: scripts, styles and requests of our own only, nothing inline without the nonce, no frames,
 * no form that leaves. Sign-in is a link, because a form may not redirect to another site under this policy.
 */
export function pageHeaders(publicUrl: string): RequestHandler {
  const protect = helmet({
    ...commonHeaders(publicUrl),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", (_request, response) => `'nonce-${cspNonceOf(response as Response)}'`],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
      },
    },
  });
  return (request, response, next) => {
    response.locals['cspNonce'] = randomBytes(16).toString('base64');
    protect(request, response, next);
  };
}
