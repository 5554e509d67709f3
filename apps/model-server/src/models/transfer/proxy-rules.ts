import { isIP } from 'node:net';

export interface ProxySettings {
  /** The proxy for `http://` addresses. */
  readonly http?: string | undefined;
  /** The proxy for `https://` addresses. */
  readonly https?: string | undefined;
  /** Hosts that are asked directly: names (their sub-domains too), addresses, `host:port`, or `*` for all. */
  readonly direct: readonly string[];
}

/** Which proxy stands between this server and a host, by the rules that curl and other programs share. */
export class ProxyRules {
  private readonly proxies: { readonly http: URL | undefined; readonly https: URL | undefined };
  private readonly direct: readonly string[];

  constructor(settings: ProxySettings) {
    this.proxies = {
      http: settings.http === undefined ? undefined : new URL(settings.http),
      https: settings.https === undefined ? undefined : new URL(settings.https),
    };
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

/** The `Proxy-Authorization` for a proxy whose address names a user. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (!proxy.username) return {};
  const pair = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A `%` that encodes nothing was meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
