import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

const permissions = [
  'accelerometer',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'usb',
  'xr-spatial-tracking',
];

export const permissionsPolicy = `${permissions.map((name) => `${name}=()`).join(', ')}, clipboard-write=(self)`;

/** What pages and API replies have in common. Only https can promise https. */
export function commonHeaders(publicUrl: string): HelmetOptions {
  const https = new URL(publicUrl).protocol === 'https:';
  return {
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    hsts: https ? { maxAge: 63_072_000, includeSubDomains: false } : false,
  };
}

/** Every reply starts with the strictest headers; pages loosen what they must (see page-headers.ts). */
export function apiHeaders(publicUrl: string): RequestHandler {
  const protect = helmet({
    ...commonHeaders(publicUrl),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
    },
  });
  const headers = headersSetBy(protect);
  return (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('permissions-policy', permissionsPolicy);
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** These headers are the same for every reply, so they are asked for once, of a reply that is never sent. */
function headersSetBy(protect: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const request = new IncomingMessage(new Socket());
  const reply = new ServerResponse(request);
  protect(request, reply, (error) => {
    if (error !== undefined) throw error;
  });
  return reply.getHeaderNames().map((name) => [name, String(reply.getHeader(name))] as const);
}
