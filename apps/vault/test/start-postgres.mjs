import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { openEmbeddedPostgres } from '../dist/db/embedded/embedded-postgres.js';

/**
 * One real Postgres for all database tests of a run: the embedded one, or the server that DATABASE_URL_TEST names,
 * with a user that may create databases. In that case the embedded one runs beside it, so that what is written on
 * one major version can be read on another. Jest wants a default export here.
 */
export default async function startPostgres() {
  const folder = await mkdtemp(path.join(tmpdir(), 'hearth-postgres-'));
  const logger = createLogger({ name: 'test', level: 'warn', format: 'json' });
  const server = await openEmbeddedPostgres(folder, logger);
  globalThis.hearthTestPostgres = { server, folder };
  const embedded = JSON.stringify(server.connection);
  const given = process.env.DATABASE_URL_TEST;
  process.env.HEARTH_TEST_POSTGRES = given ? JSON.stringify({ connectionString: given }) : embedded;
  process.env.HEARTH_TEST_POSTGRES_SECOND = embedded;
}
