import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import type { TestCertificate } from './self-signed-certificate.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TestServer {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: string;
  readonly requests: SeenRequest[];
  close(): Promise<void>;
}

/** Listens on a free port of loopback and remembers what it was asked. */
export async function startTestServer(
  handler: (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>,
  options: { readonly certificate?: TestCertificate | undefined } = {},
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    requests.push({
      method: request.method ?? '',
      path: url.pathname + url.search,
      headers: request.headers,
    });
    Promise.resolve(handler(request, response, url)).catch(() => response.destroy());
  };
  const { certificate } = options;
  const server: Server = certificate
    ? createSecureServer({ key: certificate.key, cert: certificate.certificate }, answer)
    : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `${certificate ? 'https' : 'http'}://${host}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Closes after each test what the test has opened. */
export function closeAfterEach(): <T extends { close(): void | Promise<void> }>(thing: T) => T {
  const open: { close(): void | Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((thing) => thing.close()));
  });
  return (thing) => {
    open.push(thing);
    return thing;
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
