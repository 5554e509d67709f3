import path from 'node:path';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import { MasterKeyError, makeMasterKey, parseMasterKey } from '../crypto/master-key.js';
import { makeKeyFile, readKeyFile } from './master-key-file.js';
import { createKeyring, type MasterKeyring } from './master-keyring.js';

export interface MasterKeySettings {
  readonly masterKey: string | undefined;
  readonly masterKeyFile: string | undefined;
  readonly retiredMasterKeys: readonly string[];
  readonly databaseUrl: string | undefined;
  /** Make a key file on the first start although the database is the operator's own. */
  readonly makeMasterKey: boolean;
  readonly dataFolder: string;
}

/** Where the keys come from: a file can be read again after a rotation, the environment cannot. */
export interface MasterKeySource {
  readonly keyring: MasterKeyring;
  readonly file: string | undefined;
  reload(): MasterKeyring;
}

/**
 * Reads the master key from the settings. Without any, a vault with its own embedded database makes a key file
 * beside it; a vault on a database of its operator's refuses unless told otherwise, because there a key on one
 * machine's disk would be lost with that machine.
 */
export function loadMasterKeys(settings: MasterKeySettings, logger: Logger): MasterKeySource {
  const retired = settings.retiredMasterKeys.map((text) => parseSetting('VAULT_MASTER_KEYS_RETIRED', text));
  if (settings.masterKey !== undefined) {
    const keyring = createKeyring(parseSetting('VAULT_MASTER_KEY', settings.masterKey), retired);
    return { keyring, file: undefined, reload: () => keyring };
  }
  const file = settings.masterKeyFile ?? embeddedKeyFile(settings, logger);
  const load = () => {
    const keys = readKeyFile(file);
    if (keys === undefined) throw new StartupError(`there is no master key file at ${file}`);
    return createKeyring(keys.active, [...keys.retired, ...retired]);
  };
  return { keyring: load(), file, reload: load };
}

export function embeddedKeyPath(dataFolder: string): string {
  return path.join(dataFolder, 'vault', 'master.key');
}

function embeddedKeyFile(settings: MasterKeySettings, logger: Logger): string {
  const file = embeddedKeyPath(settings.dataFolder);
  if (readKeyFile(file) !== undefined) return file;
  if (settings.databaseUrl !== undefined && !settings.makeMasterKey) {
    throw new StartupError(
      'no master key: set VAULT_MASTER_KEY or VAULT_MASTER_KEY_FILE (make one with: openssl rand -base64 32)',
    );
  }
  ensureWritableFolder(path.dirname(file));
  if (makeKeyFile(file, makeMasterKey())) {
    logger.warn(
      { file },
      `made a new master key in ${file}. BACK IT UP NOW, apart from the data: without it every secret is lost`,
    );
  }
  return file;
}

function parseSetting(name: string, text: string) {
  try {
    return parseMasterKey(text);
  } catch (error) {
    if (error instanceof MasterKeyError) throw new StartupError(`bad setting: ${name}: ${error.message}`);
    throw error;
  }
}
