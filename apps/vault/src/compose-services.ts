import { requireToken } from '@hearth/auth-middleware/require-token';
import type { Logger } from '@hearth/service-kit/logger';
import express, { type Express } from 'express';
import type { VaultConfig } from './config.js';
import { createApp } from './create-app.js';
import { checkDatabase } from './db/check-database.js';
import type { Database } from './db/client.js';
import { limits } from './http/limits.js';

export interface ComposeOptions {
  readonly config: VaultConfig;
  readonly publicUrl: string;
  readonly db: Database;
  readonly logger: Logger;
}

export interface Services {
  readonly app: Express;
}

/** The only wiring: database to repositories to services to routes. */
export function composeServices({ config, db, logger }: ComposeOptions): Services {
  const api = express.Router();
  api.use(
    '/api/secrets',
    requireToken({ verifier: { verify: async () => null }, realm: 'secrets', forms: ['bearer'] }),
  );
  const app = createApp({
    logger,
    readiness: { database: () => checkDatabase(db) },
    trustedProxies: config.trustedProxies,
    securityRules: [express.json({ limit: limits.bodyBytes, strict: true })],
    routes: [api],
  });
  return { app };
}
