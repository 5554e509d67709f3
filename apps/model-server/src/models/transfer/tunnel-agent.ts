import http, { type ClientRequestArgs } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import tls, { type ConnectionOptions } from 'node:tls';
import { isSocks, proxyHeaders } from './proxy-rules.js';
import { socksConnect } from './socks-connect.js';
import { errorForStatus, TransferError } from './transfer-error.js';

type Connected = (error: Error | null, socket: Duplex) => void;

/** Connections to https hosts through a proxy, which only passes on what it cannot read. */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: URL,
    private readonly stallMs: number,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(options: ClientRequestArgs & ConnectionOptions, callback?: Connected): undefined {
    const { host, port } = options;
    const fail = (error: Error) => callback?.(error, undefined as never);
    if (isSocks(this.proxy)) {
      socksConnect(this.proxy, { host: host ?? '', port: Number(port ?? 443) }, this.stallMs).then(
        (socket) => callback?.(null, tls.connect({ ...options, socket })),
        fail,
      );
      return undefined;
    }
    const target = `${host?.includes(':') ? `[${host}]` : host}:${port ?? 443}`;
    const request = (this.proxy.protocol === 'https:' ? https : http).request(this.proxy, {
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyHeaders(this.proxy) },
      agent: false,
      timeout: this.stallMs,
    });
    request.on('timeout', () => request.destroy(new Error(`the proxy ${this.proxy.host} does not answer`)));
    request.on('error', (error) => {
      fail(
        new TransferError(`cannot use the proxy ${this.proxy.host}: ${error.message}`, { retryable: true }),
      );
    });
    request.on('connect', (reply, socket) => {
      if (reply.statusCode === 200) {
        socket.setTimeout(0);
        callback?.(null, tls.connect({ ...options, socket }));
        return;
      }
      socket.destroy();
      fail(errorForStatus(reply.statusCode ?? 0, reply.headers, `the proxy ${this.proxy.host} refuses`));
    });
    // A proxy that knows no tunnels answers as if it were a web server.
    request.on('response', (reply) => {
      reply.destroy();
      fail(errorForStatus(reply.statusCode ?? 0, reply.headers, `the proxy ${this.proxy.host} refuses`));
    });
    request.end();
    return undefined;
  }
}
