import type { Request } from 'express';
import type { RequestContext } from '../audit/request-context.js';

const longestUserAgent = 400;

export function requestContextOf(request: Request): RequestContext {
  return {
    requestId: request.id,
    ip: plainAddress(request.ip),
    userAgent: printable(request.get('user-agent')),
  };
}

/** An IPv4 caller on an IPv6 socket is written ::ffff:a.b.c.d, which matches no IPv4 range. */
export function plainAddress(ip: string | undefined): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '') ?? null;
}

function printable(text: string | undefined): string | null {
  return text?.replace(/[^\x20-\x7e]/g, '?').slice(0, longestUserAgent) ?? null;
}
