import { request as httpRequest } from 'node:http';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSignedCertificate } from './self-signed-certificate.js';

export interface HttpsFront {
  /** The address that browsers use. */
  readonly url: string;
  /** Like fetch, for its own address too; follows no redirect. */
  readonly fetch: typeof fetch;
  close(): void;
}

/** What stands before a vault on the open network: ends TLS, and says who called. */
export async function startHttpsFront(target: string): Promise<HttpsFront> {
  const certificate = selfSignedCertificate();
  const server = createServer(certificate, (incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
    };
    const options = { method: incoming.method ?? 'GET', headers };
    const forwarded = httpRequest(new URL(incoming.url ?? '/', target), options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    fetch: (input, init) =>
      String(input).startsWith(`${url}/`)
        ? fetchTrusting(certificate.cert, String(input), init)
        : fetch(input, init),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Node's fetch trusts only what the whole process trusts, so this one asks by itself. */
function fetchTrusting(ca: string, url: string, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const asked = httpsRequest(url, { ca, method: init.method ?? 'GET', headers, agent: false }, (reply) => {
      const received = new Headers();
      for (let index = 0; index < reply.rawHeaders.length; index += 2) {
        received.append(String(reply.rawHeaders[index]), String(reply.rawHeaders[index + 1]));
      }
      text(reply).then((content) => {
        const status = reply.statusCode ?? 0;
        resolve(new Response([204, 304].includes(status) ? null : content, { status, headers: received }));
      }, reject);
    });
    asked.on('error', reject).end(body);
  });
}
