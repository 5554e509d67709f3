import { StartupError } from '@hearth/service-kit/startup-error';
import { type PassphraseKey, passphraseKeyFor, type ReadBox } from '../crypto/passphrase-box.js';
import { passphraseProblem } from '../crypto/passphrase-problem.js';
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

/**
 * What opens the key file of these settings. Undefined where it is not sealed; a file that is yet to be made will be.
 * White space at the ends of the passphrase is no part of it. Older versions took it for one where the passphrase was in
 * VAULT_MASTER_KEY_PASSPHRASE, so a file that opens only with it opens.
 */
export async function unlockKeyFile(settings: Place, passphrase: string): Promise<PassphraseKey | undefined> {
  const file = keyFilePath(settings);
  const box = sealedBoxOf(file);
  const trimmed = passphrase.trim();
  if (box === undefined) {
    return readKeyFile(file) === undefined ? keyForNewFile(file, trimmed) : undefined;
  }
  for (const text of new Set([trimmed, passphrase])) {
    const fileKey = await keyThatOpens(box, text);
    if (fileKey !== undefined) return fileKey;
  }
  throw new WrongPassphrase('the passphrase does not open the master key file');
}

async function keyForNewFile(file: string, passphrase: string): Promise<PassphraseKey> {
  const problem = passphraseProblem(passphrase, { seals: true });
  if (problem !== undefined) throw new StartupError(`the passphrase for the new key file ${file} ${problem}`);
  return passphraseKeyFor(passphrase);
}

async function keyThatOpens(box: ReadBox, passphrase: string): Promise<PassphraseKey | undefined> {
  const fileKey = await passphraseKeyFor(passphrase, box.parameters);
  try {
    for (const key of openKeyBox(fileKey, box)) key.fill(0);
    return fileKey;
  } catch (error) {
    fileKey.key.fill(0);
    if (!(error instanceof UnsealError)) throw error;
    return undefined;
  }
}
