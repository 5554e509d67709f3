import path from 'node:path';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import { makeMasterKey } from '../crypto/master-key.js';
import { heldMasterKeys, keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { makeKeyFile } from './master-key-file.js';
import { createKeyring, type MasterKeyring } from './master-keyring.js';

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
  const load = () => {
    const held = heldMasterKeys(settings);
    if (held === undefined) throw new StartupError(`there is no master key file at ${keyFilePath(settings)}`);
    return createKeyring(held.active, held.retired);
  };
  if (settings.masterKey !== undefined) {
    const keyring = load();
    return { keyring, file: undefined, reload: () => keyring };
  }
  if (settings.masterKeyFile === undefined && heldMasterKeys(settings) === undefined) {
    makeFirstKey(settings, logger);
  }
  return { keyring: load(), file: keyFilePath(settings), reload: load };
}

function makeFirstKey(settings: MasterKeySettings, logger: Logger): void {
  if (settings.databaseUrl !== undefined && !settings.makeMasterKey) {
    throw new StartupError(
      'no master key: set VAULT_MASTER_KEY or VAULT_MASTER_KEY_FILE (make one with: openssl rand -base64 32)',
    );
  }
  const file = keyFilePath(settings);
  ensureWritableFolder(path.dirname(file));
  if (makeKeyFile(file, [makeMasterKey()])) {
    logger.warn(
      { file },
      `made a new master key in ${file}. BACK IT UP NOW, apart from the data: without it every secret is lost`,
    );
  }
}
