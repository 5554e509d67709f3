import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import type pg from 'pg';
import { createDatabaseClient, type Database } from './client.js';
import { openEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { joinEmbeddedPostgres } from './embedded/join-embedded-postgres.js';
import { migrate, readMigrations } from './migrations.js';

export interface OpenDatabase {
  readonly db: Database;
  /** What this start changed in the schema. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** Undefined means the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly dataFolder: string;
  readonly poolSize: number;
  readonly logger: Logger;
  /** Whether to work beside a vault that already runs the embedded server, instead of being refused. */
  readonly besideRunning?: boolean;
}

/** Opens the database of the settings, or the embedded one, and brings its schema up to date. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, dataFolder, poolSize, logger } = options;
  const joined =
    databaseUrl === undefined && options.besideRunning === true
      ? await joinEmbeddedPostgres(dataFolder)
      : undefined;
  const given = databaseUrl ?? joined;
  const embedded = given === undefined ? await openEmbeddedPostgres(dataFolder, logger) : undefined;
  try {
    const connection = embedded?.connection ?? (given as string | pg.ClientConfig);
    const migrated = await migrateOrExplain(connection);
    if (migrated.length > 0) logger.info({ migrations: migrated }, 'migrated the database');
    const client = createDatabaseClient({ connection, poolSize, logger });
    return {
      db: client.db,
      migrated,
      async close() {
        await client.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function migrateOrExplain(connection: string | pg.ClientConfig): Promise<string[]> {
  try {
    return await migrate(connection, await readMigrations());
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const code = (error as { code?: string }).code;
    const reason = connectionProblems[code ?? ''] ?? connectionProblems[(code ?? '').slice(0, 2)];
    if (reason === undefined) throw error;
    throw new StartupError(`cannot use the database of DATABASE_URL: ${reason}`);
  }
}

/** By error code of the socket, or by class of SQLSTATE. The address is left out: it holds a password. */
const connectionProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name is not known',
  ENOENT: 'there is no such socket',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  '28': 'it refuses the user name or password',
  '3D': 'there is no database of that name',
  '42': 'the user may not create tables there',
  '53': 'it has no connections left',
  '57': 'it is starting up or shutting down',
};
