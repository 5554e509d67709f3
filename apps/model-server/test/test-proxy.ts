import { createServer, request as sendRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { endTogether, serveProxy, type TestProxy } from './serve-proxy.js';

/** A web proxy that reaches only the hosts it is told about, each at an address of loopback. It notes request lines, without their version. */
export async function startTestProxy(
  hosts: Readonly<Record<string, string>>,
  login?: string,
): Promise<TestProxy> {
  const seen: string[] = [];
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/');
    seen.push(`${request.method} ${url.href}`);
    const [host, port] = hosts[url.hostname]?.split(':') ?? [];
    const { 'proxy-authorization': given, ...headers } = request.headers;
    if (given !== expected) return response.writeHead(407).end();
    if (host === undefined) return response.writeHead(502).end();
    const onward = sendRequest(
      { host, port, path: url.pathname + url.search, method: request.method, headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    return request.pipe(onward);
  });
  server.on('connect', (request, client: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    const [host, port] = hosts[request.url?.split(':')[0] ?? '']?.split(':') ?? [];
    if (request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    endTogether(client, onward);
  });
  return serveProxy(server, seen);
}
