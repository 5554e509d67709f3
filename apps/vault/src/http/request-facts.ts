import type { Request } from 'express';
import { normalAddress } from '../access/address.js';
import type { RequestFacts } from '../access/caller.js';

const longestUserAgent = 400;

declare global {
  namespace Express {
    interface Request {
      /** Read once for each request, by `requestFactsOf`. */
      facts?: RequestFacts;
    }
  }
}

export function requestFactsOf(request: Request): RequestFacts {
  request.facts ??= {
    requestId: request.id,
    ip: normalAddress(request.ip),
    userAgent: printable(request.get('user-agent')),
  };
  return request.facts;
}

function printable(text: string | undefined): string | null {
  return text?.replace(/[^\x20-\x7e]/g, '?').slice(0, longestUserAgent) ?? null;
}
