import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { finished, type Readable } from 'node:stream';
import { allowDirectReads } from './direct-reads.js';
import { namedAddress } from './named-address.js';
import { isSocks, type ProxyRules, proxyHeaders } from './proxy-rules.js';
import { SocksAgent } from './socks-agent.js';
import { TransferError } from './transfer-error.js';
import { TunnelAgent } from './tunnel-agent.js';

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent only to the origin of `url`: dropped, and not taken up again, once a redirect leads elsewhere. */
  readonly authorization?: string | undefined;
  readonly body?: string | (() => Readable);
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
  /** Where the reply came from in the end. */
  readonly url: URL;
}

export interface HttpClientOptions {
  readonly userAgent: string;
  /** A connection on which nothing moves for this long is given up. */
  readonly stallMs: number;
  readonly proxies?: ProxyRules | undefined;
  /** Certificates to trust instead of the usual authorities. */
  readonly trustedCertificates?: string | undefined;
}

const maxRedirects = 8;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Requests to registries and hubs. Sits on node:http, which moves bytes with less work than fetch. */
export class HttpClient {
  private readonly agents: { readonly http: http.Agent; readonly https: https.Agent };
  private readonly tunnels = new Map<string, http.Agent>();
  private readonly agentOptions: https.AgentOptions;

  constructor(private readonly options: HttpClientOptions) {
    const { trustedCertificates: ca } = options;
    this.agentOptions = { keepAlive: true, maxFreeSockets: 16, ...(ca === undefined ? {} : { ca }) };
    this.agents = {
      http: allowDirectReads(new http.Agent(this.agentOptions)),
      https: allowDirectReads(new https.Agent(this.agentOptions)),
    };
  }

  /** One request, redirects handed back as they are. */
  async send(request: HttpRequest): Promise<HttpReply> {
    const { url, signal } = request;
    signal.throwIfAborted();
    return await new Promise<HttpReply>((resolve, reject) => {
      const { agent, address, path, headers } = this.route(url);
      const outgoing = (address.protocol === 'https:' ? https : http).request(address, {
        method: request.method ?? 'GET',
        ...path,
        agent,
        signal,
        timeout: this.options.stallMs,
        headers: {
          'user-agent': this.options.userAgent,
          ...headers,
          ...(request.authorization === undefined ? {} : { authorization: request.authorization }),
          ...request.headers,
        },
      });
      const fail = (error: unknown) => reject(signal.aborted ? signal.reason : connectionError(url, error));
      outgoing.on('timeout', () => {
        const seconds = Math.round(this.options.stallMs / 1000);
        outgoing.destroy(new Error(`nothing moved on the connection for ${seconds} seconds`));
      });
      outgoing.on('error', fail);
      outgoing.on('response', (body) => {
        resolve({ status: body.statusCode ?? 0, headers: body.headers, body, url });
      });
      if (typeof request.body !== 'function') {
        outgoing.end(request.body);
        return;
      }
      const content = request.body();
      content.on('error', (error) => outgoing.destroy(error));
      // A server may answer before it has read everything; what is left of the body is then not worth reading.
      finished(outgoing, { readable: false }, () => content.destroy());
      content.pipe(outgoing);
    });
  }

  /** How a request gets there: directly, or by way of a proxy. */
  private route(url: URL) {
    const proxy = this.options.proxies?.proxyFor(url);
    const isSecure = url.protocol === 'https:';
    if (!proxy) {
      return { agent: this.agents[isSecure ? 'https' : 'http'], address: url, path: {}, headers: {} };
    }
    if (isSecure || isSocks(proxy)) {
      return { agent: this.tunnelThrough(proxy, isSecure), address: url, path: {}, headers: {} };
    }
    const agent = proxy.protocol === 'https:' ? this.agents.https : this.agents.http;
    const headers = { host: url.host, ...proxyHeaders(proxy) };
    // The user of the proxy goes into a header of its own: as part of the address it would be sent to the far host.
    const address = new URL(proxy.origin);
    return { agent, address, path: { path: url.href }, headers };
  }

  private tunnelThrough(proxy: URL, isSecure: boolean): http.Agent {
    const key = `${isSecure} ${proxy.href}`;
    const Tunnel = isSecure ? TunnelAgent : SocksAgent;
    const agent = this.tunnels.get(key) ?? new Tunnel(proxy, this.options.stallMs, this.agentOptions);
    this.tunnels.set(key, agent);
    return agent;
  }

  /** Follows redirects. A redirect from https to plain http is refused unless plain http is allowed. */
  async follow(
    request: HttpRequest,
    options: { readonly allowPlainHttp: boolean; readonly stopAt?: (url: URL) => boolean },
  ): Promise<HttpReply> {
    let url = request.url;
    let { authorization } = request;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const reply = await this.send({ ...request, url, authorization });
      const { location } = reply.headers;
      if (!redirectStatuses.has(reply.status) || location === undefined) return reply;
      reply.body.resume();
      const next = namedAddress(location, url);
      if (next.protocol !== 'https:' && next.protocol !== 'http:') {
        throw new TransferError(`${url.host} redirects to an address that is not on the web`, {
          retryable: false,
        });
      }
      if (next.protocol === 'http:' && !options.allowPlainHttp) {
        throw new TransferError(`${url.host} redirects to plain http; allow it with "insecure"`, {
          retryable: false,
        });
      }
      if (next.origin !== url.origin) authorization = undefined;
      url = next;
    }
    throw new TransferError(`${request.url.host} redirects too often`, { retryable: false });
  }

  /** The whole body as text, refused beyond a bound. */
  async readText(reply: HttpReply, maxBytes: number): Promise<string> {
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const part of reply.body as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > maxBytes) break;
        parts.push(part);
      }
    } catch (error) {
      throw connectionError(reply.url, error);
    }
    if (length > maxBytes) {
      throw new TransferError(`${reply.url.host} sent more than expected`, { retryable: false });
    }
    return Buffer.concat(parts).toString('utf8');
  }

  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
    for (const tunnel of this.tunnels.values()) tunnel.destroy();
  }
}

function connectionError(url: URL, error: unknown): unknown {
  if (error instanceof TransferError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: 'the name is not known',
    EAI_AGAIN: 'the name cannot be looked up now',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    ETIMEDOUT: 'the connection timed out',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
  };
  const distrust = code === undefined ? undefined : distrusted(code);
  const reason = distrust ?? (code === undefined ? undefined : reasons[code]) ?? message;
  return new TransferError(`cannot reach ${url.host}: ${reason}`, {
    // Asking again changes no certificate.
    retryable: distrust === undefined,
    cause: error,
  });
}

function distrusted(code: string): string | undefined {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return 'it does not speak TLS; write http:// before its name and allow it with "insecure" (--insecure)';
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (/CERT|SIGNATURE/.test(code)) {
    return 'its certificate is signed by nobody this server trusts; NODE_EXTRA_CA_CERTS names more authorities';
  }
  return undefined;
}
