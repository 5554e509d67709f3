import { createLogger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { VaultConfig } from '../config.js';
import { makeMasterKey } from '../crypto/master-key.js';
import { loadMasterKeys } from '../keys/load-master-keys.js';
import { readKeyFile, replaceKeyFile } from '../keys/master-key-file.js';
import { withDomain } from './open-domain.js';

/**
 * Wraps every data key anew under a new master key, while vaults run. With a key file the new key is made here and
 * takes the place of the old one when all is done; with keys from the environment the operator has already set the
 * new one and named the old one as retired.
 */
export async function rotateKeyCommand(config: VaultConfig): Promise<void> {
  const file = config.masterKey === undefined ? keyFileOf(config) : undefined;
  if (file !== undefined) addNewKey(file);
  await withDomain(config, async ({ domain }) => {
    // Recorded before the old key goes: a run that is cut short between the two is recorded by the one that ends it.
    const rewrapped = await domain.masterKey.rotate({ newKey: file !== undefined });
    const { active } = domain.keys.current();
    if (file !== undefined) dropOldKeys(file);
    process.stdout.write(
      `${rewrapped} data keys are now wrapped by ${active.id}. ${
        file === undefined
          ? 'The retired keys may now be taken from VAULT_MASTER_KEYS_RETIRED'
          : `${file} now holds the new key: back it up`
      }; keep the old key for as long as you keep backups made with it.\n`,
    );
  });
}

function keyFileOf(config: VaultConfig): string {
  const silent = createLogger({ name: 'vault', level: 'silent', format: 'json' });
  const { file } = loadMasterKeys(config, silent);
  if (file === undefined) throw new StartupError('there is no key file to rotate');
  return file;
}

/** An interrupted rotation left two keys already: then it goes on with those. */
function addNewKey(file: string): void {
  const keys = readKeyFile(file);
  if (keys === undefined) throw new StartupError(`there is no master key file at ${file}`);
  if (keys.retired.length === 0) replaceKeyFile(file, [makeMasterKey(), keys.active]);
}

function dropOldKeys(file: string): void {
  const keys = readKeyFile(file);
  if (keys !== undefined) replaceKeyFile(file, [keys.active]);
}
