import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { listen } from './listen.js';
import { StartupError } from './startup-error.js';

test('port 0 gives an address that answers', async () => {
  const { server, url } = await listen((_request, response) => response.end('hello'), {
    host: '127.0.0.1',
    port: 0,
  });
  expect(await (await fetch(url)).text()).toBe('hello');
  server.close();
  server.closeAllConnections();
});

test('a busy port is one line that names it', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  const { port } = busy.address() as { port: number };
  await expect(listen(() => undefined, { host: '127.0.0.1', port })).rejects.toThrow(
    new StartupError(
      `127.0.0.1:${port} is already in use; stop the other program or choose another port with --port`,
    ),
  );
  busy.close();
});

test('an address that is not of this machine is one line', async () => {
  await expect(listen(() => undefined, { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine; choose another --host',
  );
});

test('headers over the limit are refused before a handler sees them', async () => {
  const { server, url } = await listen((_request, response) => response.end('reached'), {
    host: '127.0.0.1',
    port: 0,
  });
  const response = await fetch(url, { headers: { 'x-large': 'x'.repeat(20_000) } });
  expect(response.status).toBe(431);
  server.close();
  server.closeAllConnections();
});
