import { existsSync } from 'node:fs';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { VaultConfig } from '../config.js';
import { passphraseKeyFor } from '../crypto/passphrase-box.js';
import { keyFilePath } from '../keys/held-master-keys.js';
import { changeKeyFile } from '../keys/master-key-file.js';
import { fileKeyFor } from './file-key.js';
import { requireOneReaderOfStdin } from './one-reader-of-stdin.js';
import { readPassphrase } from './read-passphrase.js';

export interface SealKeyOptions {
  /** Where the new passphrase is; undefined asks for it at the terminal. */
  readonly passphraseFile: string | undefined;
  readonly remove: boolean;
}

/**
 * Gives the master key file a passphrase, changes it, or takes it away. The keys stay what they are, so vaults that
 * run go on; only whoever reads the file from then on needs the passphrase. The database plays no part.
 */
export async function sealKeyCommand(config: VaultConfig, options: SealKeyOptions): Promise<void> {
  const file = keyFilePath(config);
  if (config.masterKey !== undefined) {
    throw new StartupError(
      'VAULT_MASTER_KEY is not a file: put the key into one, and name it in VAULT_MASTER_KEY_FILE',
    );
  }
  if (options.remove && options.passphraseFile !== undefined) {
    throw new StartupError('--remove takes the passphrase away: give no new one with it');
  }
  if (options.passphraseFile === undefined && !options.remove && !process.stdin.isTTY) {
    throw new StartupError('give the new passphrase in a file, with --passphrase-file');
  }
  requireOneReaderOfStdin({
    'the new passphrase': options.passphraseFile,
    'the passphrase of the master key file': config.masterKeyPassphraseFile,
  });
  const before = await fileKeyFor(config);
  if (!existsSync(file)) {
    throw new StartupError(`there is no master key file at ${file}: start the vault once, and it makes one`);
  }
  if (options.remove && before === undefined) throw new StartupError(`${file} is not sealed`);
  // Asked for before the keys are read: a rotation may change them for as long as somebody thinks of a passphrase.
  const after = options.remove
    ? undefined
    : await passphraseKeyFor(
        await readPassphrase(options.passphraseFile ?? '-', { seals: true, question: 'new passphrase: ' }),
      );
  changeKeyFile(file, { before, after }, ({ active, retired }) => [active, ...retired]);
  process.stdout.write(`${file} ${said(before !== undefined, options.remove)}\n`);
}

function said(wasSealed: boolean, removed: boolean): string {
  if (removed) return 'holds the master key in the clear again: whoever reads it can open everything';
  return wasSealed
    ? 'is now sealed by the new passphrase. Copies of the file as it was before still open with the old one: replace them'
    : 'is now sealed by the passphrase. Copies of the file as it was before still open without it: replace them';
}
