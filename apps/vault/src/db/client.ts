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
  readonly logger: Logger;
}

/** A query that has not ended by then is cancelled by the server: one slow query must not hold a connection for ever. */
const statementTimeoutMs = 5_000;

export function createDatabaseClient({ connection, poolSize, logger }: DatabaseOptions): DatabaseClient {
  const pool = new pg.Pool({
    ...connectionConfig(connection),
    max: poolSize,
    application_name: 'hearth-vault',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 3 * statementTimeoutMs,
  });
  // Without a listener an idle connection that the server closes ends the whole process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
  return { db: drizzle({ client: pool }), pool, close: () => pool.end() };
}

export function connectionConfig(connection: string | pg.ClientConfig): pg.ClientConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection;
}
