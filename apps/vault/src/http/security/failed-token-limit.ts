import type { RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore } from 'express-rate-limit';
import { hashToken } from '../../crypto/api-token.js';
import { VaultError } from '../../errors/vault-error.js';
import { rateLimits } from './rate-limits.js';
import { hasTokenInUrl } from './token-in-url.js';

/** So many good tokens are remembered, by their hash; the longest unused goes first. */
const rememberedTokens = 10_000;

/**
 * Slows down whoever tries tokens: only refused ones count, so that many calls with a good token from one address
 * are never taken for an attack. A token that was good here before goes on through an address that is shut out (an
 * office, a proxy): one careless neighbour must not lock out all the others. Each request is still verified.
 */
export function failedTokenLimit(): RequestHandler {
  const { windowMs, limit } = rateLimits.failedToken;
  const failures = new MemoryStore();
  failures.init({ windowMs } as Parameters<MemoryStore['init']>[0]);
  const good = new Set<string>();

  function remember(token: string, isGood: boolean): void {
    good.delete(token);
    if (!isGood) return;
    good.add(token);
    const [oldest] = good;
    if (good.size > rememberedTokens && oldest !== undefined) good.delete(oldest);
  }

  return async (request, response, next) => {
    const { authorization } = request.headers;
    const isInUrl = hasTokenInUrl(request.originalUrl);
    if (authorization === undefined && !isInUrl) return next();
    const key = ipKeyGenerator(request.ip ?? '', 56);
    const token = hashToken(authorization ?? '').toString('base64');
    const seen = await failures.get(key);
    if (seen && seen.totalHits >= limit && (isInUrl || !good.has(token))) {
      const seconds = Math.ceil(((seen.resetTime?.getTime() ?? 0) - Date.now()) / 1000);
      throw new VaultError('rate_limited', 'Too many refused tokens from this address.', {
        headers: { 'retry-after': String(Math.max(1, seconds)) },
      });
    }
    response.once('finish', () => {
      if (response.statusCode === 401 || isInUrl) void failures.increment(key);
      // Known by now, and not by the status: many pages answer whoever asks.
      if (authorization !== undefined) remember(token, request.principal !== undefined);
    });
    next();
  };
}
