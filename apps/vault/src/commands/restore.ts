import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StartupError } from '@hearth/service-kit/startup-error';
import { BackupFileError, readBackupHeader } from '../backup/backup-file.js';
import { unwrapMasterKeys } from '../backup/wrapped-master-keys.js';
import type { VaultConfig } from '../config.js';
import { type RecoveredMasterKeys, recoverMasterKeys } from '../keys/recover-master-keys.js';
import { fileKeyFor } from './file-key.js';
import { requireOneReaderOfStdin } from './one-reader-of-stdin.js';
import { withDomain } from './open-domain.js';
import { readPassphrase } from './read-passphrase.js';

/**
 * Fills an empty database from a backup, and proves that its keys open what it holds. The backup is read once, from
 * its beginning to its end, so that it may come through a pipe; `-` is standard input.
 */
export async function restoreCommand(
  config: VaultConfig,
  file: string,
  passphraseFile: string | undefined,
): Promise<void> {
  requireOneReaderOfStdin({
    'the backup': file,
    'the passphrase of the backup': passphraseFile,
    'the passphrase of the master key file': config.masterKeyPassphraseFile,
  });
  await withLines(file, async (lines) => {
    // Before the database is opened: a file or a passphrase that does not fit leaves nothing behind, not even tables.
    const first = (await lines.next()).value as string | undefined;
    const header = readBackupHeader(first);
    const recovered =
      passphraseFile === undefined
        ? undefined
        : recoverMasterKeys(
            config,
            await unwrapMasterKeys(
              await readPassphrase(passphraseFile, {
                seals: false,
                question: 'passphrase of the backup: ',
              }),
              header,
            ),
            await fileKeyFor(config),
          );
    await restoreRows(config, startingWith(first as string, lines), recovered);
  });
}

async function restoreRows(
  config: VaultConfig,
  lines: AsyncIterable<string>,
  recovered: RecoveredMasterKeys | undefined,
): Promise<void> {
  await withDomain(
    config,
    async ({ domain }) => {
      let installed: string | undefined;
      const { rows } = await domain.backups.restore(lines, () => {
        installed = recovered?.install();
      });
      await domain.keys.prepare();
      process.stdout.write(
        `restored ${rows['vaults']} vaults and ${rows['secrets']} secrets of ${rows['users']} accounts; everyone signs in again\n`,
      );
      if (installed !== undefined) process.stdout.write(`${installed}\n`);
    },
    recovered && { source: recovered.source },
  );
}

async function* startingWith(first: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function withLines(file: string, work: (lines: AsyncIterator<string>) => Promise<void>): Promise<void> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  const name = file === '-' ? 'standard input' : file;
  const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    await work(reader[Symbol.asyncIterator]());
  } catch (error) {
    if (error instanceof BackupFileError) throw new StartupError(`${name}: ${error.message}`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || code === 'EISDIR') throw new StartupError(`cannot read ${name} (${code})`);
    throw error;
  } finally {
    reader.close();
    stream.destroy();
  }
}
