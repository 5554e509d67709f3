import { createLogger } from '@hearth/service-kit/logger';
import type { VaultConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';

/** Brings the database up to date and ends: for deployments that migrate before they start. */
export async function migrateCommand(config: VaultConfig): Promise<void> {
  const logger = createLogger({ name: 'vault', level: config.logLevel, format: config.logFormat });
  const database = await openDatabase({ ...config, poolSize: 2, logger });
  await database.close();
  process.stdout.write(
    database.migrated.length === 0
      ? 'the database is up to date\n'
      : `applied ${database.migrated.join(', ')}\n`,
  );
}
