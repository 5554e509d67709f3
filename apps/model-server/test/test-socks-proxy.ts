import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { endTogether, serveProxy, type TestProxy } from './serve-proxy.js';

/** A SOCKS5 proxy that reaches only the hosts it is told about; it answers `refusal` instead when it is given one. */
export async function startTestSocksProxy(
  hosts: Readonly<Record<string, string>>,
  options: { readonly login?: string; readonly refusal?: number } = {},
): Promise<TestProxy> {
  const seen: string[] = [];
  const server = createServer((client) => {
    client.on('error', () => undefined);
    serve(client).catch(() => client.destroy());
  });

  async function serve(client: Socket): Promise<void> {
    const read = byteReader(client);
    // In single bytes, as a slow line may bring them.
    const say = (...bytes: number[]) => {
      for (const byte of bytes) client.write(Buffer.from([byte]));
    };
    const [, count = 0] = await read(2);
    const methods = await read(count);
    const method = options.login === undefined ? 0 : 2;
    if (!methods.includes(method)) return void client.end(Buffer.from([5, 0xff]));
    say(5, method);
    if (options.login !== undefined) {
      await read(1);
      const user = await text(read);
      const isRight = `${user}:${await text(read)}` === options.login;
      say(1, isRight ? 0 : 1);
      if (!isRight) return void client.end();
    }
    await read(4);
    const name = await text(read);
    const [high = 0, low = 0] = await read(2);
    seen.push(`${name}:${high * 256 + low}`);
    const [host, port] = hosts[name]?.split(':') ?? [];
    const refusal = options.refusal ?? (host === undefined ? 4 : undefined);
    if (refusal !== undefined) return void client.end(Buffer.from([5, refusal, 0, 1, 0, 0, 0, 0, 0, 0]));
    const onward = connect(Number(port), host, () => {
      say(5, 0, 0, 3, 2, 0x6f, 0x6b, 0, 0);
      client.pipe(onward).pipe(client);
    });
    endTogether(client, onward);
  }

  return serveProxy(server, seen);
}

type Read = (length: number) => Promise<Buffer>;

function byteReader(socket: Socket): Read {
  return async (length) => {
    const bytes: number[] = [];
    while (bytes.length < length) {
      const byte = socket.read(1) as Buffer | null;
      if (byte) bytes.push(...byte);
      else await once(socket, 'readable');
    }
    return Buffer.from(bytes);
  };
}

async function text(read: Read): Promise<string> {
  const [length = 0] = await read(1);
  return (await read(length)).toString();
}
