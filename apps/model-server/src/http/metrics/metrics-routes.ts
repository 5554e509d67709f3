import { type RequestHandler, Router } from 'express';
import { onlyMethods } from '../unknown-path.js';
import type { ServerMetrics } from './server-metrics.js';

/** Counts every request when its reply has ended or its client has gone. */
export function countRequests(metrics: ServerMetrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      metrics.countRequest(request, response, (performance.now() - startedAt) / 1000);
    });
    next();
  };
}

export function metricsRoutes({ registry }: ServerMetrics): Router {
  const router = Router();
  router
    .route('/metrics')
    .get(async (_request, response) => {
      const text = await registry.metrics();
      response.setHeader('content-type', registry.contentType);
      response.end(text);
    })
    .all(onlyMethods('GET', 'HEAD'));
  return router;
}
