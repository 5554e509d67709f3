import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** How cookies are written here: bound to this host, unreadable for scripts, not sent by other sites' requests. */
export interface Cookies {
  readonly names: { readonly session: string; readonly flowPrefix: string };
  read(request: Request): Readonly<Record<string, string | undefined>>;
  set(response: Response, name: string, value: string, maxAgeSeconds: number): void;
  clear(response: Response, name: string): void;
  /** The header line that clears a cookie. */
  clearing(name: string): string;
}

/**
 * Over https the names carry the `__Host-` prefix, which lets a browser accept them from this very host only.
 * Browsers refuse that prefix over plain http, which the settings allow on loopback alone.
 */
export function createCookies(publicUrl: string): Cookies {
  const secure = new URL(publicUrl).protocol === 'https:';
  const prefix = secure ? '__Host-' : '';
  const options = { path: '/', httpOnly: true, secure, sameSite: 'lax' as const };
  const line = (name: string, value: string, maxAge: number) =>
    stringifySetCookie({ name, value, ...options, maxAge });
  return {
    names: { session: `${prefix}hearth`, flowPrefix: `${prefix}hearth-flow-` },
    read: (request) => parseCookie(request.headers.cookie ?? ''),
    set: (response, name, value, maxAgeSeconds) => {
      response.append('set-cookie', line(name, value, maxAgeSeconds));
    },
    clear: (response, name) => {
      response.append('set-cookie', line(name, '', 0));
    },
    clearing: (name) => line(name, '', 0),
  };
}
