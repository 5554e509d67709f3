import { isIP } from 'node:net';

export interface ProxySettings {
  /** The proxy for `http://` addresses. */
  readonly http?: string | undefined;
  /** The proxy for `https://` addresses. */
  readonly https?: string | undefined;
  /** The proxy for either where it has none of its own. */
  readonly all?: string | undefined;
  /** Hosts that are asked directly: names (their sub-domains too), addresses, `host:port`, or `*` for all. */
  readonly direct: readonly string[];
}

/** Which proxy stands between this server and a host, by the rules that curl and other programs share. */
export class ProxyRules {
  private readonly proxies: { readonly http: URL | undefined; readonly https: URL | undefined };
  private readonly direct: readonly string[];

  constructor(settings: ProxySettings) {
    const proxy = (own: string | undefined) => {
      const address = own ?? settings.all;
      return address === undefined ? undefined : new URL(address);
    };
    this.proxies = { http: proxy(settings.http), https: proxy(settings.https) };
    this.direct = settings.direct.map((host) => host.toLowerCase().replace(/^\*?\./, ''));
  }

  proxyFor(url: URL): URL | undefined {
    const proxy = url.protocol === 'https:' ? this.proxies.https : this.proxies.http;
    return proxy && !this.isDirect(url) ? proxy : undefined;
  }

  private isDirect(url: URL): boolean {
    const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
    // This machine is never behind a proxy, whatever a list says.
    if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true;
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.direct.some((rule) => {
      if (rule === '*' || rule === host || rule === `${host}:${port}`) return true;
      return isIP(host) === 0 && (host.endsWith(`.${rule}`) || `${host}:${port}`.endsWith(`.${rule}`));
    });
  }
}

export function isSocks(proxy: URL): boolean {
  return /^socks(5h?)?:$/.test(proxy.protocol);
}

/** The user that the address of a proxy names. */
export function proxyLogin(proxy: URL): { readonly user: string; readonly password: string } | undefined {
  return proxy.username ? { user: decoded(proxy.username), password: decoded(proxy.password) } : undefined;
}

/** The `Proxy-Authorization` for a proxy whose address names a user. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  const login = proxyLogin(proxy);
  if (!login) return {};
  const pair = Buffer.from(`${login.user}:${login.password}`);
  return { 'proxy-authorization': `Basic ${pair.toString('base64')}` };
}

/** A `%` that encodes nothing was meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
