import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { commonHeaders } from './api-headers.js';

/**
 * For the console's pages: scripts, styles and requests of our own only, nothing inline at all, no frames, no form
 * that leaves, and no text ever becomes code (trusted types, without any policy that could make it so). Sign-in is a
 * link, because a form may not redirect to another site under this policy.
 */
export function pageHeaders(publicUrl: string): RequestHandler {
  return helmet({
    ...commonHeaders(publicUrl),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
  });
}
