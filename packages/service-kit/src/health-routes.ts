import { Router } from 'express';
import type { Logger } from './logger.js';

/** Each check resolves when its part can serve and rejects when it cannot. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** A part that waits for somebody, and is no fault: `/readyz` shows this word for it, and nothing is logged. */
export class NotReady extends Error {
  override readonly name = 'NotReady';

  constructor(readonly state: string) {
    super(state);
  }
}

/**
 * `/healthz` says that the process runs and answers; `/readyz` that it can do its work. Orchestrators restart on
 * the first and route on the second, so a database that is away makes only the second fail.
 */
export function healthzRoutes(): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  return router;
}

export function readyzRoutes(checks: ReadinessChecks, logger: Logger): Router {
  const router = Router();
  router.get('/readyz', async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check();
          return [name, 'ok'] as const;
        } catch (error) {
          if (error instanceof NotReady) return [name, error.state] as const;
          logger.warn({ check: name, err: error }, 'not ready');
          return [name, 'failed'] as const;
        }
      }),
    );
    const states = new Set(results.map(([, state]) => state));
    states.delete('ok');
    const ready = states.size === 0;
    const [waitsFor] = states.has('failed') ? ['unavailable'] : states;
    response
      .status(ready ? 200 : 503)
      .set('cache-control', 'no-store')
      .json({ status: waitsFor ?? 'ok', checks: Object.fromEntries(results) });
  });
  return router;
}
