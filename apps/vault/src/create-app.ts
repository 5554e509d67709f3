import { accessLog } from '@hearth/service-kit/access-log';
import { healthzRoutes, type ReadinessChecks, readyzRoutes } from '@hearth/service-kit/health-routes';
import type { Logger } from '@hearth/service-kit/logger';
import { requestId } from '@hearth/service-kit/request-id';
import express, { type Express, type RequestHandler } from 'express';
import { errorHandler, notFoundHandler } from './http/error-handler.js';
import { inOrder, type Step } from './http/in-order.js';

export interface AppParts {
  readonly logger: Logger;
  readonly readiness: ReadinessChecks;
  readonly trustedProxies: readonly string[];
  /** The security rules, in their order; every request passes those of its path before a route sees it. */
  readonly securityRules: readonly Step[];
  /** The features, in their order. */
  readonly routes: readonly RequestHandler[];
}

/** Builds the HTTP application from its parts. It never listens, so that tests and servers hold it alike. */
export function createApp({ logger, readiness, trustedProxies, securityRules, routes }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Express' own ETag is a hash of the body: something to guess a secret against. Ours are made from versions.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false);
  app.use(
    inOrder([
      { under: '/', handle: requestId() },
      { under: '/', handle: accessLog(logger) },
      { under: '/healthz', handle: healthzRoutes() },
      { under: '/readyz', handle: readyzRoutes(readiness, logger) },
      ...securityRules,
    ]),
  );
  for (const route of routes) app.use(route);
  app.use(notFoundHandler());
  app.use(errorHandler(logger));
  return app;
}
