import { type PassphraseKey, passphraseKeyFor } from '../crypto/passphrase-box.js';
import { UnsealError } from '../crypto/sealed-box.js';
import { keyFilePath, type MasterKeySettings } from './held-master-keys.js';
import { openKeyBox, readKeyFile, sealedBoxOf } from './master-key-file.js';

/** The passphrase does not open the key file. It never says why, nor what was tried. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

type Place = Pick<MasterKeySettings, 'masterKey' | 'masterKeyFile' | 'dataFolder'>;

/** Whether the vault needs a passphrase before it can do anything. */
export function isKeyFileSealed(settings: Place): boolean {
  return settings.masterKey === undefined && sealedBoxOf(keyFilePath(settings)) !== undefined;
}

/** What opens the key file of these settings. Undefined where it is not sealed; a file that is yet to be made will be. */
export async function unlockKeyFile(settings: Place, passphrase: string): Promise<PassphraseKey | undefined> {
  const file = keyFilePath(settings);
  const box = sealedBoxOf(file);
  if (box === undefined) {
    return readKeyFile(file) === undefined ? passphraseKeyFor(passphrase) : undefined;
  }
  const fileKey = await passphraseKeyFor(passphrase, box.parameters);
  try {
    for (const key of openKeyBox(fileKey, box)) key.fill(0);
    return fileKey;
  } catch (error) {
    fileKey.key.fill(0);
    if (!(error instanceof UnsealError)) throw error;
    throw new WrongPassphrase('the passphrase does not open the master key file');
  }
}
