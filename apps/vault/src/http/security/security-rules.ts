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
 * no CORS: without its headers no other site reads a reply. One router holds them all, so that a request does not
 * enter a router of its own for each rule.
 */
export function securityRules(parts: SecurityRuleParts): RequestHandler {
  const rules = Router();
  rules.use(apiHeaders(parts.publicUrl));
  if (parts.rateLimits) {
    rules.use('/auth', createRateLimit('signIn', { keyOf: addressOf }));
    rules.use('/api', failedTokenLimit());
  }
  rules.use('/api', identifyCaller(parts));
  rules.use('/auth', loadSession(parts));
  rules.use('/api/secrets', requireCaller());
  rules.use('/api', sameOrigin(parts.publicUrl));
  if (parts.rateLimits) rules.use('/api', ...principalLimits(), ...operationLimits());
  rules.use(...bodyLimits());
  return rules;
}
