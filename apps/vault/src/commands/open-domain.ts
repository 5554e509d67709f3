import { createLogger, type Logger } from '@hearth/service-kit/logger';
import { composeDomain, type Domain } from '../compose-domain.js';
import type { VaultConfig } from '../config.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { openDatabase } from '../db/open-database.js';
import { loadMasterKeys, type MasterKeySource } from '../keys/load-master-keys.js';
import { fileKeyFor } from './file-key.js';

export interface OpenDomain {
  readonly domain: Domain;
  readonly masterKeys: MasterKeySource;
  readonly logger: Logger;
}

/** Keys that a command holds already, or what opens the file that they are in. */
export type CommandKeys =
  | { readonly source: MasterKeySource }
  | { readonly fileKey: PassphraseKey | undefined };

/** For commands that work on the database itself, without a server. Only warnings are logged: they print what they did. */
export async function withDomain<Result>(
  config: VaultConfig,
  work: (opened: OpenDomain) => Promise<Result>,
  given?: CommandKeys,
): Promise<Result> {
  const keys = given ?? { fileKey: await fileKeyFor(config) };
  const logger = createLogger({ name: 'vault', level: 'warn', format: config.logFormat });
  const database = await openDatabase({ ...config, poolSize: 2, logger, besideRunning: true });
  try {
    const masterKeys = 'source' in keys ? keys.source : loadMasterKeys(config, logger, keys.fileKey);
    const domain = composeDomain({ db: database.db, masterKeys, logger });
    return await work({ domain, masterKeys, logger });
  } finally {
    await database.close();
  }
}
