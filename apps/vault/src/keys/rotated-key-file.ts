import { StartupError } from '@hearth/service-kit/startup-error';
import { deriveKeys } from '../crypto/derive-keys.js';
import { makeMasterKey } from '../crypto/master-key.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { changeKeyFile } from './master-key-file.js';

/** What a rotation does to the key file: first it holds both keys, and once the old one is of no use any more, the new one. */
export interface RotatedKeyFile {
  /** A rotation that was cut short left two keys already: then it goes on with those. */
  addNewKey(): void;
  /** Leaves the key that everything is wrapped by now, and refuses where the file has got another one meanwhile. */
  dropOldKeys(activeId: string): void;
}

/** It stays sealed by the same passphrase and salt, so that vaults which have opened it read it again by themselves. */
export function rotatedKeyFile(file: string, fileKey: PassphraseKey | undefined): RotatedKeyFile {
  const passphrases = { before: fileKey, after: fileKey };
  return {
    addNewKey: () =>
      changeKeyFile(file, passphrases, ({ active, retired }) =>
        retired.length === 0 ? [makeMasterKey(), active] : undefined,
      ),

    dropOldKeys: (activeId) =>
      changeKeyFile(file, passphrases, ({ active }) => {
        if (deriveKeys(active).id === activeId) return [active];
        throw new StartupError(
          `${file} has got another new key while all data keys were wrapped by ${activeId}; it is left as it is: run rotate-key again`,
        );
      }),
  };
}
