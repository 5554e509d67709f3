import path from 'node:path';
import { ensureWritableFolder } from '@hearth/service-kit/data-folder';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { MasterKey } from '../crypto/master-key.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import {
  type HeldMasterKeys,
  heldMasterKeys,
  keyFilePath,
  type MasterKeySettings,
} from './held-master-keys.js';
import type { MasterKeySource } from './load-master-keys.js';
import { changeKeyFile, type KeyFile, makeKeyFile } from './master-key-file.js';
import { createKeyring } from './master-keyring.js';

export interface RecoveredMasterKeys {
  readonly source: MasterKeySource;
  /**
   * Puts the keys where the vault will look for them, if they are not there yet, and says what it did. Call it only
   * once the database has proved to be empty: then no row of it is sealed under a key file that is in the way.
   */
  install(): string | undefined;
}

/** Fits master keys that a backup carried to the settings of this process, or says in one line why they cannot be. */
export function recoverMasterKeys(
  settings: MasterKeySettings,
  recovered: readonly [MasterKey, ...MasterKey[]],
  fileKey?: PassphraseKey,
): RecoveredMasterKeys {
  const [active, ...retired] = recovered;
  const keyring = createKeyring(active, retired);
  const file = keyFilePath(settings);
  const held = heldMasterKeys(settings, fileKey);
  if (held !== undefined) {
    const ours = createKeyring(held.active, held.retired);
    const missing = keyring.all.filter(({ id }) => ours.find(id) === undefined).map(({ id }) => id);
    if (missing.length === 0) {
      return { source: { keyring: ours, file: undefined, reload: () => ours }, install: () => undefined };
    }
    refuseOtherKey(settings, `the key ${ours.active.id}, and the backup needs ${missing.join(', ')}`);
  }
  return {
    source: { keyring, file, reload: () => keyring },
    install: () => writeKeys(file, recovered, held, fileKey),
  };
}

/** A key that the operator named is theirs to change. One that lies in the data folder was made by a first start. */
function refuseOtherKey(settings: MasterKeySettings, difference: string): void {
  if (settings.masterKey !== undefined) {
    throw new StartupError(
      `VAULT_MASTER_KEY is ${difference}: restore without VAULT_MASTER_KEY, and the recovered key is put into ${keyFilePath(settings)}`,
    );
  }
  if (settings.masterKeyFile !== undefined) {
    throw new StartupError(
      `VAULT_MASTER_KEY_FILE holds ${difference}: name a file that does not exist yet, and the recovered key is put there`,
    );
  }
}

function writeKeys(
  file: string,
  recovered: readonly MasterKey[],
  inTheWay: HeldMasterKeys | undefined,
  fileKey: PassphraseKey | undefined,
): string {
  ensureWritableFolder(path.dirname(file));
  if (inTheWay === undefined) {
    if (makeKeyFile(file, recovered, fileKey)) return `the recovered master key is now in ${file}`;
    throw new StartupError(`${file} has just been made by another process: stop it and restore again`);
  }
  let aside = '';
  changeKeyFile(file, { before: fileKey, after: fileKey }, (keys) => {
    aside = keepAside(file, keys, fileKey);
    return recovered;
  });
  return `the recovered master key is now in ${file}; the one that was there is kept in ${aside}`;
}

/**
 * The key may be that of another database, which only its operator knows: it is never destroyed. One that a passphrase
 * seals stays sealed.
 */
function keepAside(file: string, keys: KeyFile, fileKey: PassphraseKey | undefined): string {
  const aside = `${file}.${createKeyring(keys.active, []).active.id}`;
  if (!makeKeyFile(aside, [keys.active, ...keys.retired], fileKey)) {
    throw new StartupError(`${file} holds another key, and ${aside} exists already: move one of them away`);
  }
  return aside;
}
