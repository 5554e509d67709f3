import { NotReady } from '@hearth/service-kit/health-routes';
import type { Logger } from '@hearth/service-kit/logger';
import type { Express, RequestHandler } from 'express';
import { consoleRoutes } from '../console-pages/console-routes.js';
import { createApp } from '../create-app.js';
import { VaultError } from '../errors/vault-error.js';
import { mountOperations } from '../http/operations/mount-operations.js';
import { requestFactsOf } from '../http/request-facts.js';
import { apiHeaders } from '../http/security/api-headers.js';
import { bodyLimits } from '../http/security/body-limits.js';
import { addressOf, createLimitCheck } from '../http/security/rate-limits.js';
import type { IdempotencyService } from '../idempotency/idempotency-service.js';
import { unsealOperation, unsealPath } from './unseal-operation.js';
import type { VaultSwitch } from './vault-switch.js';

export interface SealedAppParts {
  readonly logger: Logger;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly rateLimits: boolean;
  readonly checkDatabase: () => Promise<void>;
  readonly unseal: VaultSwitch['unseal'];
}

/**
 * The vault without its keys: it says that it lives, that it is sealed, and takes the passphrase. The console's files
 * are served too, for its page where one types it; they hold nothing of anybody.
 */
export function createSealedApp(parts: SealedAppParts): Express {
  const { logger, publicUrl, trustedProxies, rateLimits, checkDatabase, unseal } = parts;
  const countAttempt = rateLimits ? createLimitCheck('unseal', { keyOf: addressOf }) : async () => undefined;
  return createApp({
    logger,
    trustedProxies,
    readiness: { database: checkDatabase, master_key: () => Promise.reject(new NotReady('sealed')) },
    securityRules: [
      { under: '/', handle: apiHeaders(publicUrl) },
      // Bodies of all other requests are not even read.
      { under: unsealPath, handle: bodyLimits() },
    ],
    routes: [
      mountOperations(
        [
          unsealOperation(({ passphrase }, request) =>
            unseal({
              passphrase,
              request: requestFactsOf(request),
              address: addressOf(request),
              count: () => countAttempt(request),
            }),
          ),
        ],
        { isFresh: () => false, idempotency: keepsNoAnswers },
      ),
      consoleRoutes({ publicUrl, logger }),
      refuse,
    ],
  });
}

/** Stored answers are sealed by the master key. */
const keepsNoAnswers: IdempotencyService = {
  once: async (_request, work) => ({ answer: await work(), replayed: false }),
  removeExpired: async () => undefined,
};

const refuse: RequestHandler = () => {
  throw new VaultError('sealed');
};
