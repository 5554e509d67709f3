import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import { makeMasterKey } from '../crypto/master-key.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { heldMasterKeys, keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { makeKeyFile } from './master-key-file.js';
import { createKeyring, type MasterKeyring } from './master-keyring.js';

/** Where the keys come from: a file can be read again after a rotation, the environment cannot. */
export interface MasterKeySource {
  readonly keyring: MasterKeyring;
  readonly file: string | undefined;
  reload(): MasterKeyring;
}

export interface LoadedMasterKeys extends MasterKeySource {
  /** Overwrites every key that was ever loaded here, and what opens the key file. */
  wipe(): void;
}

/**
 * Reads the master key from the settings. Without any, a vault with its own embedded database makes a key file
 * beside it; a vault on a database of its operator's refuses unless told otherwise, because there a key on one
 * machine's disk would be lost with that machine.
 */
export function loadMasterKeys(
  settings: MasterKeySettings,
  logger: Logger,
  fileKey?: PassphraseKey,
): LoadedMasterKeys {
  const loaded: MasterKeyring[] = [];
  const load = () => {
    const held = heldMasterKeys(settings, fileKey);
    if (held === undefined) throw new StartupError(`there is no master key file at ${keyFilePath(settings)}`);
    const keyring = createKeyring(held.active, held.retired);
    for (const master of [held.active, ...held.retired]) master.fill(0);
    loaded.push(keyring);
    return keyring;
  };
  const wipe = () => {
    for (const keyring of loaded) keyring.wipe();
    fileKey?.key.fill(0);
  };
  if (settings.masterKey !== undefined) {
    const keyring = load();
    return { keyring, file: undefined, reload: () => keyring, wipe };
  }
  // Looked for, not read: keys that are read and not used could not be wiped.
  if (settings.masterKeyFile === undefined && !existsSync(keyFilePath(settings))) {
    makeFirstKey(settings, logger, fileKey);
  }
  return { keyring: load(), file: keyFilePath(settings), reload: load, wipe };
}

function makeFirstKey(settings: MasterKeySettings, logger: Logger, fileKey: PassphraseKey | undefined): void {
  if (settings.databaseUrl !== undefined && !settings.makeMasterKey) {
    throw new StartupError(
      'no master key: set VAULT_MASTER_KEY or VAULT_MASTER_KEY_FILE (make one with: openssl rand -base64 32)',
    );
  }
  const file = keyFilePath(settings);
  ensureWritableFolder(path.dirname(file));
  if (makeKeyFile(file, [makeMasterKey()], fileKey)) {
    logger.warn(
      { file },
      `made a new master key in ${file}. BACK IT UP NOW, apart from the data: without it${
        fileKey === undefined ? '' : ', or without its passphrase,'
      } every secret is lost`,
    );
  }
}
