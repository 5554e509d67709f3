import type { RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore } from 'express-rate-limit';
import { VaultError } from '../../errors/vault-error.js';
import { rateLimits } from './rate-limits.js';
import { hasTokenInUrl } from './token-in-url.js';

/**
 * Slows down whoever tries tokens: only refused ones count, so that many calls with a good token from one address
 * are never taken for an attack.
 */
export function failedTokenLimit(): RequestHandler {
  const { windowMs, limit } = rateLimits.failedToken;
  const failures = new MemoryStore();
  failures.init({ windowMs } as Parameters<MemoryStore['init']>[0]);
  return async (request, response, next) => {
    const isInUrl = hasTokenInUrl(request.originalUrl);
    if (request.headers.authorization === undefined && !isInUrl) return next();
    const key = ipKeyGenerator(request.ip ?? '', 56);
    const seen = await failures.get(key);
    if (seen && seen.totalHits >= limit) {
      const seconds = Math.ceil(((seen.resetTime?.getTime() ?? 0) - Date.now()) / 1000);
      throw new VaultError('rate_limited', 'Too many refused tokens from this address.', {
        headers: { 'retry-after': String(Math.max(1, seconds)) },
      });
    }
    response.once('finish', () => {
      if (response.statusCode === 401 || isInUrl) void failures.increment(key);
    });
    next();
  };
}
