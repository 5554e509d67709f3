import type { Logger } from '@hearth/service-kit/logger';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

export type Database = NodePgDatabase;

export interface DatabaseClient {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A connection address, or the parts of one for the embedded server's socket. */
  readonly connection: string | pg.ClientConfig;
  readonly poolSize: number;
  /** A query that has not ended by then is cancelled by the server: one must not hold a connection for ever. */
  readonly patienceMs?: number | undefined;
  readonly logger: Logger;
}

export function createDatabaseClient(options: DatabaseOptions): DatabaseClient {
  const { connection, poolSize, patienceMs = 5_000, logger } = options;
  const pool = new pg.Pool({
    ...connectionConfig(connection),
    max: poolSize,
    application_name: 'hearth-vault',
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: patienceMs,
    idle_in_transaction_session_timeout: 3 * patienceMs,
  });
  // Without a listener a connection that the server closes ends the whole process. The pool hears of idle ones only, so
  // each has its own, which says it for both.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
  });
  return { db: drizzle({ client: pool }), pool, close: () => pool.end() };
}

export function connectionConfig(connection: string | pg.ClientConfig): pg.ClientConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection;
}
