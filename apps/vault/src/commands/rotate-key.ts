import type { VaultConfig } from '../config.js';
import { rotatedKeyFile } from '../keys/rotated-key-file.js';
import { fileKeyFor } from './file-key.js';
import { withDomain } from './open-domain.js';

/**
 * Wraps every data key anew under a new master key, while vaults run. With a key file the new key is made here and
 * takes the place of the old one when all is done; with keys from the environment the operator has already set the
 * new one and named the old one as retired.
 */
export async function rotateKeyCommand(config: VaultConfig): Promise<void> {
  const fileKey = await fileKeyFor(config);
  await withDomain(
    config,
    async ({ domain, masterKeys: { file } }) => {
      const rewrapped = await domain.masterKey.rotate(
        file === undefined ? undefined : rotatedKeyFile(file, fileKey),
      );
      process.stdout.write(
        `${rewrapped} data keys are now wrapped by ${domain.keys.current().active.id}. ${
          file === undefined
            ? 'The retired keys may now be taken from VAULT_MASTER_KEYS_RETIRED'
            : `${file} now holds the new key: back it up`
        }; keep the old key for as long as you keep backups made with it.\n`,
      );
    },
    { fileKey },
  );
}
