import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createShutdown } from './graceful-shutdown.js';
import { type ListeningServer, listen } from './listen.js';
import { createLogger } from './logger.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
let running: ListeningServer | undefined;

afterEach(() => {
  running?.server.closeAllConnections();
  running?.server.close();
});

/** A server whose handler waits until it is released, so that a request is surely in flight. */
async function slowServer() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived: () => void = () => undefined;
  const inFlight = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  running = await listen(
    async (_request, response) => {
      arrived();
      await released;
      response.end('done');
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { ...running, release, inFlight };
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(body));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('shutdown', () => {
  test('lets a request in flight end, refuses new ones, then closes the parts in order', async () => {
    const { server, url, release, inFlight } = await slowServer();
    const closed: string[] = [];
    const shutdown = createShutdown({
      server,
      graceSeconds: 60,
      logger,
      closers: [async () => void closed.push('engine'), async () => void closed.push('database')],
    });
    const reply = get(url);
    await inFlight;
    const stopped = shutdown();
    await expect(get(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(closed).toEqual([]);
    release();
    expect(await reply).toBe('done');
    await stopped;
    expect(closed).toEqual(['engine', 'database']);
  });

  test('cuts what is still in flight when the grace period is over', async () => {
    const { server, url, inFlight } = await slowServer();
    const reply = get(url);
    await inFlight;
    const cut = expect(reply).rejects.toThrow();
    await createShutdown({ server, graceSeconds: 0, logger, closers: [] })();
    await cut;
  });

  test('called twice stops once', async () => {
    const { server } = await slowServer();
    const closes: string[] = [];
    const shutdown = createShutdown({
      server,
      graceSeconds: 1,
      logger,
      closers: [async () => void closes.push('engine')],
    });
    await Promise.all([shutdown(), shutdown()]);
    expect(closes).toEqual(['engine']);
  });

  test('a part that fails to close does not keep the next one open', async () => {
    const { server } = await slowServer();
    let closed = false;
    const closers = [
      () => Promise.reject(new Error('stuck')),
      async () => {
        closed = true;
      },
    ];
    await createShutdown({ server, graceSeconds: 1, logger, closers })();
    expect(closed).toBe(true);
  });
});
