import { StartupError } from '@hearth/service-kit/startup-error';
import type { VaultConfig } from '../config.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { keyFilePath } from '../keys/held-master-keys.js';
import { isKeyFileSealed, unlockKeyFile, WrongPassphrase } from '../keys/unlock-key-file.js';
import { readPassphrase } from './read-passphrase.js';

/** The passphrase that the settings give, for a start or a command without anybody at the keyboard. */
export async function givenPassphrase(config: VaultConfig): Promise<string | undefined> {
  const { masterKeyPassphrase, masterKeyPassphraseFile: file } = config;
  return file === undefined ? masterKeyPassphrase : readPassphrase(file, { seals: false });
}

/** What opens the key file, for a command: by the passphrase of the settings, or by asking whoever sits there. */
export async function fileKeyFor(config: VaultConfig): Promise<PassphraseKey | undefined> {
  const sealed = isKeyFileSealed(config);
  const given = await givenPassphrase(config);
  if (given === undefined && !sealed) return undefined;
  if (given === undefined && !process.stdin.isTTY) {
    throw new StartupError(
      `the master key file ${keyFilePath(config)} is sealed: give its passphrase in a file, with --master-key-passphrase-file`,
    );
  }
  const question = 'passphrase of the master key file: ';
  return unlockOrExplain(config, given ?? (await readPassphrase('-', { seals: false, question })));
}

export async function unlockOrExplain(
  config: VaultConfig,
  passphrase: string,
): Promise<PassphraseKey | undefined> {
  try {
    return await unlockKeyFile(config, passphrase);
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error;
    throw new StartupError(`the passphrase does not open the master key file ${keyFilePath(config)}`);
  }
}
