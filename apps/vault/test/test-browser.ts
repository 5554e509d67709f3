import { parseSetCookie } from 'cookie';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads, made absolute. */
  readonly location: string | undefined;
}

export interface RequestInitLike {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/**
 * As much of a browser as the sign-in needs: keeps cookies by host, follows nothing by itself, and sends what a
 * browser would send from the console's own pages.
 */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>();
  readonly #fetch: typeof fetch;

  constructor(options: { fetch?: typeof fetch } = {}) {
    this.#fetch = options.fetch ?? fetch;
  }

  async request(url: string, init: RequestInitLike = {}): Promise<Reply> {
    const { host } = new URL(url);
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#fetch(url, {
      redirect: 'manual',
      method: init.method ?? 'GET',
      headers: { ...(cookie ? { cookie } : {}), ...init.headers },
      ...(init.body === undefined ? {} : { body: init.body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const { name, value, maxAge } = parseSetCookie(line);
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value ?? '');
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, url).href,
    };
  }

  /** A request as the console's own scripts make it. */
  api(url: string, init: RequestInitLike = {}): Promise<Reply> {
    return this.request(url, {
      ...init,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-hearth-console': '1',
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
    });
  }

  cookies(host: string): ReadonlyMap<string, string> {
    return this.#jars.get(host) ?? new Map();
  }

  setCookie(host: string, name: string, value: string): void {
    this.#jars.set(host, new Map([...this.cookies(host), [name, value]]));
  }
}
