import { createLogger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { VaultConfig } from '../config.js';
import { makeMasterKey } from '../crypto/master-key.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';
import { readKeyFile, replaceKeyFile } from '../keys/master-key-file.js';
import { fileKeyFor } from './file-key.js';
import { type OpenDomain, withDomain } from './open-domain.js';

/**
 * Wraps every data key anew under a new master key, while vaults run. With a key file the new key is made here and
 * takes the place of the old one when all is done; with keys from the environment the operator has already set the
 * new one and named the old one as retired. A sealed key file stays sealed by the same passphrase and salt, so that
 * vaults which have opened it read it again by themselves.
 */
export async function rotateKeyCommand(config: VaultConfig): Promise<void> {
  const fileKey = await fileKeyFor(config);
  const file = config.masterKey === undefined ? keyFileOf(config, fileKey) : undefined;
  if (file !== undefined) addNewKey(file, fileKey);
  const rotate = async ({ domain }: OpenDomain) => {
    // Recorded before the old key goes: a run that is cut short between the two is recorded by the one that ends it.
    const rewrapped = await domain.masterKey.rotate({ newKey: file !== undefined });
    const { active } = domain.keys.current();
    if (file !== undefined) dropOldKeys(file, fileKey);
    process.stdout.write(
      `${rewrapped} data keys are now wrapped by ${active.id}. ${
        file === undefined
          ? 'The retired keys may now be taken from VAULT_MASTER_KEYS_RETIRED'
          : `${file} now holds the new key: back it up`
      }; keep the old key for as long as you keep backups made with it.\n`,
    );
  };
  await withDomain(config, rotate, { fileKey });
}

function keyFileOf(config: VaultConfig, fileKey: PassphraseKey | undefined): string {
  const silent = createLogger({ name: 'vault', level: 'silent', format: 'json' });
  const { file } = loadMasterKeys(config, silent, fileKey);
  if (file === undefined) throw new StartupError('there is no key file to rotate');
  return file;
}

/** An interrupted rotation left two keys already: then it goes on with those. */
function addNewKey(file: string, fileKey: PassphraseKey | undefined): void {
  const keys = readKeyFile(file, fileKey);
  if (keys === undefined) throw new StartupError(`there is no master key file at ${file}`);
  if (keys.retired.length === 0) replaceKeyFile(file, [makeMasterKey(), keys.active], fileKey);
}

function dropOldKeys(file: string, fileKey: PassphraseKey | undefined): void {
  const keys = readKeyFile(file, fileKey);
  if (keys !== undefined) replaceKeyFile(file, [keys.active], fileKey);
}
