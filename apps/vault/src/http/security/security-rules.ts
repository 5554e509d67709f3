import { type RequestHandler, Router } from 'express';
import { type IdentifyCallerParts, identifyCaller, loadSession } from '../identify-caller.js';
import { apiHeaders } from './api-headers.js';
import { bodyLimits } from './body-limits.js';
import { failedTokenLimit } from './failed-token-limit.js';
import { addressOf, createRateLimit, operationLimits, principalLimits } from './rate-limits.js';
import { requireCaller } from './require-caller.js';
import { sameOrigin } from './same-origin.js';

export interface SecurityRuleParts extends IdentifyCallerParts {
  readonly publicUrl: string;
  readonly rateLimits: boolean;
}

/**
 * Every security rule, one a file, in the order in which a request meets them. There is no CORS rule because there is
 * no CORS: without its headers no other site reads a reply.
 */
export function securityRules(parts: SecurityRuleParts): RequestHandler[] {
  const limit = (...rules: RequestHandler[]) => (parts.rateLimits ? rules : []);
  return [
    apiHeaders(parts.publicUrl),
    ...limit(on('/auth', createRateLimit('signIn', { keyOf: addressOf }))),
    ...limit(on('/api', failedTokenLimit())),
    on('/api', identifyCaller(parts)),
    on('/auth', loadSession(parts)),
    on('/api/secrets', requireCaller()),
    on('/api', sameOrigin(parts.publicUrl)),
    ...limit(on('/api', ...principalLimits(), ...operationLimits())),
    ...bodyLimits(),
  ];
}

function on(path: string, ...handlers: RequestHandler[]): RequestHandler {
  return Router().use(path, ...handlers);
}
