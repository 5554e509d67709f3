import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { VaultError } from '../../errors/vault-error.js';

const minute = 60_000;

/** How often things may be done. docs/vault-sign-in.md lists them. */
export const rateLimits = {
  signIn: { windowMs: minute, limit: 20 },
  unseal: { windowMs: minute, limit: 10 },
  failedToken: { windowMs: minute, limit: 30 },
  tokenRead: { windowMs: minute, limit: 600 },
  tokenWrite: { windowMs: minute, limit: 120 },
  session: { windowMs: minute, limit: 1200 },
  leakReport: { windowMs: minute, limit: 30 },
  export: { windowMs: minute, limit: 30 },
  tokenCreate: { windowMs: 60 * minute, limit: 60 },
} as const;

export type LimitName = Exclude<keyof typeof rateLimits, 'failedToken'>;

export interface LimitOptions {
  /** Whose requests are counted together; undefined leaves the request out. */
  readonly keyOf: (request: Request) => string | undefined;
}

/** One limit. Its state is in every reply (RateLimit and RateLimit-Policy), so that a client can slow down in time. */
export function createRateLimit(name: LimitName, { keyOf }: LimitOptions): RequestHandler {
  return rateLimit({
    ...rateLimits[name],
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) => keyOf(request as Request) ?? '',
    skip: (request) => keyOf(request as Request) === undefined,
    // Which keys stand for an address is known here; the library's own guess would only warn.
    validate: false,
    handler: (_request, _response, next) => next(new VaultError('rate_limited')),
  });
}

/** A limit that an operation asks in its course: what was refused before that does not count. */
export function createLimitCheck(
  name: LimitName,
  options: LimitOptions,
): (request: Request) => Promise<void> {
  const limit = createRateLimit(name, options);
  return (request) =>
    new Promise((resolve, reject) => {
      limit(request, request.res as Response, (error?: unknown) =>
        error === undefined ? resolve() : reject(error),
      );
    });
}

/** A caller without an account yet is an address; one IPv6 customer has a whole range of them. */
export const addressOf = (request: Request): string => ipKeyGenerator(request.ip ?? '', 56);

export function principalLimits(): RequestHandler[] {
  const isRead = (request: Request) => request.method === 'GET' || request.method === 'HEAD';
  const tokenId = (request: Request) => (request.browserSession ? undefined : request.principal?.id);
  return [
    createRateLimit('tokenRead', {
      keyOf: (request) => (isRead(request) ? tokenId(request) : undefined),
    }),
    createRateLimit('tokenWrite', {
      keyOf: (request) => (isRead(request) ? undefined : tokenId(request)),
    }),
    createRateLimit('session', { keyOf: (request) => request.browserSession?.id }),
  ];
}

/** What costs more than other calls, or could do more harm, has a limit of its own. */
export function operationLimits(): RequestHandler[] {
  const isExport = (request: Request) =>
    /^\/api\/secrets\/vaults\/[^/]+\/export$/.test(request.originalUrl.split('?')[0] ?? '');
  const makesToken = (request: Request) =>
    request.method === 'POST' &&
    /^\/api\/secrets\/tokens(?:\/[^/]+\/rotate)?$/.test(request.originalUrl.split('?')[0] ?? '');
  return [
    createRateLimit('export', {
      keyOf: (request) => (isExport(request) ? request.principal?.id : undefined),
    }),
    createRateLimit('tokenCreate', {
      keyOf: (request) => (makesToken(request) ? request.principal?.id : undefined),
    }),
  ];
}
