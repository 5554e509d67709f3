import http, { type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { socksConnect } from './socks-connect.js';

/** Connections to hosts without TLS through a SOCKS proxy. */
export class SocksAgent extends http.Agent {
  constructor(
    private readonly proxy: URL,
    private readonly stallMs: number,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    socksConnect(this.proxy, { host: host ?? '', port: Number(port ?? 80) }, this.stallMs).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined;
  }
}
