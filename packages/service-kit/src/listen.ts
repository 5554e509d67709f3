import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartupError } from './startup-error.js';

/** Limits on what a connection may cost before a handler sees it. */
export interface ServerLimits {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  /** For receiving the whole request, body included; a reply may stream for as long as it likes. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export const defaultServerLimits: ServerLimits = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 5_000,
};

export interface ListeningServer {
  readonly server: Server;
  /** Where clients find it, with the port the system gave when 0 was asked for. */
  readonly url: string;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port, for those who cannot give a flag. */
  readonly portVariable?: string;
}

/** Listens, or throws one line that says why it cannot. */
export async function listen(
  handler: RequestListener,
  address: ListenAddress,
  limits: ServerLimits = defaultServerLimits,
): Promise<ListeningServer> {
  const server = createServer({ maxHeaderSize: limits.maxHeaderBytes }, handler);
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startupErrorFor(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  return { server, url: urlOf(server) };
}

export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function startupErrorFor(error: NodeJS.ErrnoException, address: ListenAddress): Error {
  const place = `${address.host}:${address.port}`;
  const another = ['--port', ...(address.portVariable ? [address.portVariable] : [])].join(' or ');
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `${place} is already in use; stop the other program or choose another port with ${another}`,
      );
    case 'EACCES':
      return new StartupError(
        `this user may not listen on ${place}; choose a port above 1023 with ${another}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`${address.host} is not an address of this machine; choose another --host`);
    default:
      return error;
  }
}
