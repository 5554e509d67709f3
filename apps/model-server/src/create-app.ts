import { randomBytes } from 'node:crypto';
import { requireScope } from '@hearth/auth-middleware/require-scope';
import { requireToken } from '@hearth/auth-middleware/require-token';
import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import { accessLog } from '@hearth/service-kit/access-log';
import { healthzRoutes, type ReadinessChecks, readyzRoutes } from '@hearth/service-kit/health-routes';
import type { Logger } from '@hearth/service-kit/logger';
import { packageVersion } from '@hearth/service-kit/package-version';
import { requestId } from '@hearth/service-kit/request-id';
import express, { type Express } from 'express';
import type { TextGenerator } from './generation/text-generator.js';
import { bodyDeadline } from './http/body-deadline.js';
import { cors } from './http/cors.js';
import { dialectErrorHandler } from './http/dialect-error-handler.js';
import { hostCheck } from './http/host-check.js';
import { jsonBody } from './http/json-body.js';
import { meteredGenerator } from './http/metrics/metered-generator.js';
import { countRequests, metricsRoutes } from './http/metrics/metrics-routes.js';
import { type EngineFigures, ServerMetrics } from './http/metrics/server-metrics.js';
import { openApiRoutes } from './http/openapi/openapi-routes.js';
import { unknownPath } from './http/unknown-path.js';
import type { ModelCatalogue } from './models/model-catalogue.js';
import type { ModelLibrary } from './models/model-library.js';
import { completionsApi } from './protocols/completions/completions-api.js';
import { completionsDialect } from './protocols/completions/completions-dialect.js';
import { completionsRoutes } from './protocols/completions/completions-routes.js';
import { messagesApi } from './protocols/messages/messages-api.js';
import { messagesDialect } from './protocols/messages/messages-dialect.js';
import { messagesRoutes } from './protocols/messages/messages-routes.js';
import { libraryRoutes } from './protocols/runner/library-routes.js';
import { runnerApi } from './protocols/runner/runner-api.js';
import { runnerDialect } from './protocols/runner/runner-dialect.js';
import { runnerRoutes } from './protocols/runner/runner-routes.js';

const version = packageVersion(new URL('../package.json', import.meta.url));

export interface ModelServerParts {
  readonly catalogue: ModelCatalogue;
  /** Left out where models are only served and not managed. */
  readonly library?: ModelLibrary;
  readonly generator: TextGenerator;
  /** Left out when the server has no key: then every credential is accepted and ignored. */
  readonly verifier?: TokenVerifier;
  /** What the engine says of itself for /metrics; left out where there is none. */
  readonly engineFigures?: () => EngineFigures;
  readonly logger: Logger;
  readonly readiness: ReadinessChecks;
  readonly maxBodyBytes: number;
  /** Origins whose pages may call, besides those of this machine. */
  readonly origins: readonly string[];
  /** For a server on loopback, whose only protection against a rebound name is the Host header. */
  readonly checkHost: boolean;
}

/** Puts the server together from its parts. It never listens: that is the caller's affair. */
export function createApp(given: ModelServerParts): Express {
  const metrics = new ServerMetrics(given.engineFigures);
  const parts = { ...given, generator: meteredGenerator(given.generator, metrics) };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestId({ newId: newRequestId, headers: ['x-request-id', 'request-id'] }));
  app.use(accessLog(parts.logger));
  app.use(
    bodyDeadline({
      wholeBodyMs: 300_000,
      silenceMs: 60_000,
      isUpload: (path) => path.startsWith('/api/blobs/'),
    }),
  );
  app.use(countRequests(metrics));
  app.use((_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    next();
  });

  if (parts.checkHost) app.use(hostCheck(parts.origins));
  app.use(cors(parts.origins));

  // Open to all: whether something runs here is no secret, and orchestrators ask without a key.
  app.get('/', (_request, response) => {
    response.type('text/plain').send('Hearth is running');
  });
  app.use(healthzRoutes());

  if (parts.verifier) {
    app.use(requireToken({ verifier: parts.verifier, realm: 'hearth', forms: ['bearer', 'x-api-key'] }));
    app.use(requireScope({ realm: 'hearth', scopes: ['models:use'] }));
  }
  app.use(readyzRoutes(parts.readiness, parts.logger));
  app.use(metricsRoutes(metrics));
  const library = parts.library && libraryRoutes({ ...parts, library: parts.library });
  // Uploads are files of any size and not JSON, so they are taken before bodies are parsed.
  if (library) app.use(library.uploads);
  app.use(jsonBody(parts.maxBodyBytes));
  if (library) app.use(library.management);
  app.use(runnerRoutes({ ...parts, version }));
  app.use(messagesRoutes(parts));
  app.use(completionsRoutes(parts));
  app.use(openApiRoutes([runnerApi, completionsApi, messagesApi], version));
  app.use(unknownPath);
  // The messages family owns one path below /v1, so it is asked before the completions family.
  app.use(dialectErrorHandler([runnerDialect, messagesDialect, completionsDialect], parts.logger));
  return app;
}

function newRequestId(): string {
  return `req_${randomBytes(12).toString('hex')}`;
}
