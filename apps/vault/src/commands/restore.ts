import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StartupError } from '@hearth/service-kit/startup-error';
import { BackupFileError } from '../backup/backup-file.js';
import type { VaultConfig } from '../config.js';
import { withDomain } from './open-domain.js';

/** Fills an empty database from a backup file, and proves that its keys open what it holds. */
export async function restoreCommand(config: VaultConfig, file: string): Promise<void> {
  await withDomain(config, async ({ domain }) => {
    const stream = createReadStream(file);
    const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
    try {
      const { rows } = await domain.backups.restore(lines);
      await domain.keys.prepare();
      process.stdout.write(
        `restored ${rows['vaults']} vaults and ${rows['secrets']} secrets of ${rows['users']} accounts; everyone signs in again\n`,
      );
    } catch (error) {
      if (error instanceof BackupFileError) throw new StartupError(`${file}: ${error.message}`);
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === 'open') throw new StartupError(`cannot read ${file} (${code})`);
      throw error;
    } finally {
      lines.close();
      stream.destroy();
    }
  });
}
