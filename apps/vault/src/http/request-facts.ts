import type { Request } from 'express';
import { normalAddress } from '../access/address.js';
import type { RequestFacts } from '../access/caller.js';

const longestUserAgent = 400;

export function requestFactsOf(request: Request): RequestFacts {
  return {
    requestId: request.id,
    ip: normalAddress(request.ip),
    userAgent: printable(request.get('user-agent')),
  };
}

function printable(text: string | undefined): string | null {
  return text?.replace(/[^\x20-\x7e]/g, '?').slice(0, longestUserAgent) ?? null;
}
