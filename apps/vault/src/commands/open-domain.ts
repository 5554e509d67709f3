import { createLogger, type Logger } from '@hearth/service-kit/logger';
import { composeDomain, type Domain } from '../compose-domain.js';
import type { VaultConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { loadMasterKeys, type MasterKeySource } from '../keys/load-master-keys.js';

export interface OpenDomain {
  readonly domain: Domain;
  readonly masterKeys: MasterKeySource;
  readonly logger: Logger;
}

/** For commands that work on the database itself, without a server. Only warnings are logged: they print what they did. */
export async function withDomain<Result>(
  config: VaultConfig,
  work: (opened: OpenDomain) => Promise<Result>,
  loadKeys: (config: VaultConfig, logger: Logger) => MasterKeySource = loadMasterKeys,
): Promise<Result> {
  const logger = createLogger({ name: 'vault', level: 'warn', format: config.logFormat });
  const database = await openDatabase({ ...config, poolSize: 2, logger, besideRunning: true });
  try {
    const masterKeys = loadKeys(config, logger);
    const domain = composeDomain({ db: database.db, masterKeys, logger });
    return await work({ domain, masterKeys, logger });
  } finally {
    await database.close();
  }
}
