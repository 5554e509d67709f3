import type { Server } from 'node:http';
import type { Logger } from './logger.js';

export interface ShutdownOptions {
  readonly server: Server;
  readonly graceSeconds: number;
  readonly logger: Logger;
  /** Called as soon as stopping begins, so that endless streams can be told to end. */
  readonly onStopping?: () => void;
  /** What else must be closed, in this order, once no request runs any more. */
  readonly closers: readonly (() => Promise<void>)[];
}

/**
 * Stops a service well: no new connections, requests in flight end within the grace period, then the parts close
 * in order. Safe to call twice: both callers wait for the same stop.
 */
export function createShutdown(options: ShutdownOptions): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop(options);
    return stopping;
  };
}

async function stop({ server, graceSeconds, logger, onStopping, closers }: ShutdownOptions): Promise<void> {
  logger.info('stopping: no new requests, letting those in flight end');
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  onStopping?.();
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    logger.warn({ grace_seconds: graceSeconds }, 'grace period over: cutting the requests still in flight');
    server.closeAllConnections();
  }, graceSeconds * 1000);
  // A kept-alive connection turns idle after its last reply, when the first sweep has already passed.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      logger.error({ err: error }, 'a part did not close cleanly');
    }
  }
  logger.info('stopped');
}

/**
 * Runs the shutdown on the first SIGINT or SIGTERM and exits 0; a second signal exits at once. A service that was
 * started by another process of ours also stops when that one has gone, so that nothing is left behind.
 */
export function stopOnSignals(shutdown: () => Promise<void>): void {
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(signal === 'SIGINT' ? 130 : 143);
      void shutdown().then(() => process.exit(0));
    });
  }
  process.once('disconnect', () => void shutdown().then(() => process.exit(0)));
  // Listening keeps a program alive for as long as its starter lives, also one that failed to start.
  process.channel?.unref();
}
