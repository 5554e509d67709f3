import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StartupError } from '@hearth/service-kit/startup-error';
import { BackupFileError, readBackupHeader } from '../backup/backup-file.js';
import { unwrapMasterKeys } from '../backup/wrapped-master-keys.js';
import type { VaultConfig } from '../config.js';
import { type RecoveredMasterKeys, recoverMasterKeys } from '../keys/recover-master-keys.js';
import { withDomain } from './open-domain.js';
import { readPassphrase } from './read-passphrase.js';

/** Fills an empty database from a backup file, and proves that its keys open what it holds. */
export async function restoreCommand(
  config: VaultConfig,
  file: string,
  passphraseFile: string | undefined,
): Promise<void> {
  // Before the database is opened: a passphrase that does not fit leaves nothing behind, not even empty tables.
  const recovered = passphraseFile === undefined ? undefined : await recover(config, file, passphraseFile);
  await withDomain(
    config,
    async ({ domain }) => {
      let installed: string | undefined;
      const { rows } = await withLines(file, (lines) =>
        domain.backups.restore(lines, () => {
          installed = recovered?.install();
        }),
      );
      await domain.keys.prepare();
      process.stdout.write(
        `restored ${rows['vaults']} vaults and ${rows['secrets']} secrets of ${rows['users']} accounts; everyone signs in again\n`,
      );
      if (installed !== undefined) process.stdout.write(`${installed}\n`);
    },
    recovered && (() => recovered.source),
  );
}

async function recover(
  config: VaultConfig,
  file: string,
  passphraseFile: string,
): Promise<RecoveredMasterKeys> {
  const passphrase = await readPassphrase(passphraseFile, { confirm: false });
  const masters = await withLines(file, async (lines) => {
    const first = await lines[Symbol.asyncIterator]().next();
    return unwrapMasterKeys(passphrase, readBackupHeader(first.done === true ? undefined : first.value));
  });
  return recoverMasterKeys(config, masters);
}

async function withLines<Result>(
  file: string,
  work: (lines: AsyncIterable<string>) => Promise<Result>,
): Promise<Result> {
  const stream = createReadStream(file);
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    return await work(lines);
  } catch (error) {
    if (error instanceof BackupFileError) throw new StartupError(`${file}: ${error.message}`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open') throw new StartupError(`cannot read ${file} (${code})`);
    throw error;
  } finally {
    lines.close();
    stream.destroy();
  }
}
