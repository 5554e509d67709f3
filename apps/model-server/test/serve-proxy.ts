import type { AddressInfo, Server, Socket } from 'node:net';

export interface TestProxy {
  readonly host: string;
  /** What it was asked for. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** When one side of a connection ends, so does the other. */
export function endTogether(client: Socket, onward: Socket): void {
  for (const socket of [client, onward]) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      client.destroy();
      onward.destroy();
    });
  }
}

/** Lets a proxy listen, and takes its callers away with it. */
export async function serveProxy(server: Server, seen: string[]): Promise<TestProxy> {
  const callers = new Set<Socket>();
  server.on('connection', (socket: Socket) => callers.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of callers) socket.destroy();
      }),
  };
}
