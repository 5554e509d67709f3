import type { RequestHandler } from 'express';
import type { ExposedTokens } from '../../tokens/exposed-tokens.js';
import { type IdentifyCallerParts, identifyCaller, loadSession } from '../identify-caller.js';
import type { Step } from '../in-order.js';
import { apiHeaders } from './api-headers.js';
import { bodyLimits } from './body-limits.js';
import { failedTokenLimit } from './failed-token-limit.js';
import { leakReportPath } from './open-paths.js';
import { addressOf, createRateLimit, operationLimits, principalLimits } from './rate-limits.js';
import { requireCaller } from './require-caller.js';
import { sameOrigin } from './same-origin.js';
import { tokenInUrl } from './token-in-url.js';

export interface SecurityRuleParts extends IdentifyCallerParts {
  readonly publicUrl: string;
  readonly rateLimits: boolean;
  readonly exposedTokens: ExposedTokens;
}

/**
 * Every security rule, one a file, in the order in which a request meets them. There is no CORS rule because there is
 * no CORS: without its headers no other site reads a reply.
 */
export function securityRules(parts: SecurityRuleParts): Step[] {
  const limited = parts.rateLimits;
  return [
    { under: '/', handle: apiHeaders(parts.publicUrl) },
    ...(limited
      ? ([
          { under: '/auth', handle: createRateLimit('signIn', { keyOf: addressOf }) },
          { under: leakReportPath, handle: createRateLimit('leakReport', { keyOf: addressOf }) },
          { under: '/', handle: failedTokenLimit() },
        ] as const)
      : []),
    { under: '/', handle: tokenInUrl(parts.exposedTokens) },
    { under: '/api', handle: identifyCaller(parts) },
    { under: '/auth', handle: loadSession(parts) },
    { under: '/api/secrets', handle: requireCaller() },
    { under: '/api', handle: sameOrigin(parts.publicUrl) },
    ...(limited ? under('/api', [...principalLimits(), ...operationLimits()]) : []),
    { under: '/', handle: bodyLimits() },
  ];
}

function under(path: Step['under'], handlers: readonly RequestHandler[]): Step[] {
  return handlers.map((handle) => ({ under: path, handle }));
}
