import { isIP } from 'node:net';
import { listSetting } from '@hearth/service-kit/setting-schemas';
import { z } from 'zod';
import { isLoopbackHost } from './loopback.js';

// Schemas for the vault's own settings. Their messages never repeat the value: an address may hold a password.

/** `true` or `false`; a flag without a value means true. */
export const flagSetting = (fallback = false) =>
  z
    .union([z.boolean(), z.string()])
    .default(fallback)
    .refine((value) => /^(true|false|1|0)$/.test(String(value)), 'must be true or false')
    .transform((value) => value === true || value === 'true' || value === '1');

/** Scheme, host and port, nothing behind. Plain http is for this machine only: sign-in would be readable on the way. */
export const originSetting = () =>
  z
    .string()
    .refine((text) => parse(text) !== undefined, 'must be an address such as https://vault.example.com')
    .refine((text) => {
      const url = parse(text);
      return url === undefined || (url.pathname === '/' && !url.search && !url.hash && !url.username);
    }, 'must be scheme, host and port only, without a path')
    .refine((text) => {
      const url = parse(text);
      return url === undefined || url.protocol === 'https:' || isLoopbackHost(url.hostname);
    }, 'must be https, unless it is a loopback address')
    .transform((text) => new URL(text).origin);

export const postgresUrlSetting = () =>
  z.string().refine((text) => {
    try {
      // A user without a host, for a socket named by ?host=/run/postgresql, is known to libpq and not to URL.
      const withHost = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?])/, '$1localhost');
      return ['postgres:', 'postgresql:'].includes(new URL(withHost).protocol);
    } catch {
      return false;
    }
  }, 'must be an address such as postgres://user:password@host:5432/database');

/** People by the login that a provider vouches for, never by an address that could change hands. */
export const loginListSetting = () =>
  listSetting().refine(
    (logins) => logins.every((login) => /^(github:(id:\d+|[A-Za-z0-9-]+)|google:\d+)$/.test(login)),
    'must be a list of github:<login>, github:id:<number> or google:<number>',
  );

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

export const proxyListSetting = () =>
  listSetting().refine(
    (proxies) => proxies.every((proxy) => proxyNames.includes(proxy) || isAddressRange(proxy)),
    `must be a list of addresses, ranges or ${proxyNames.join(', ')}`,
  );

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function parse(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}
