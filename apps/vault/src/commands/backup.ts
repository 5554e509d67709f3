import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { StartupError } from '@hearth/service-kit/startup-error';
import { BackupFileError } from '../backup/backup-file.js';
import type { KeyCopy } from '../backup/backup-service.js';
import type { VaultConfig } from '../config.js';
import type { PassphraseKey } from '../crypto/passphrase-box.js';
import { heldMasterKeys } from '../keys/held-master-keys.js';
import { fileKeyFor } from './file-key.js';
import { requireOneReaderOfStdin } from './one-reader-of-stdin.js';
import { withDomain } from './open-domain.js';
import { readPassphrase } from './read-passphrase.js';

/** Writes a backup file that only its owner may read; it appears under its name only when it is whole. */
export async function backupCommand(
  config: VaultConfig,
  file: string,
  passphraseFile: string | undefined,
): Promise<void> {
  requireOneReaderOfStdin({
    'the passphrase of the backup': passphraseFile,
    'the passphrase of the master key file': config.masterKeyPassphraseFile,
  });
  const passphrase =
    passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile, { seals: true });
  const fileKey = await fileKeyFor(config);
  const draft = `${file}.part`;
  await withDomain(
    config,
    async ({ domain }) => {
      await domain.keys.prepare();
      const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        throw new StartupError(`cannot write ${draft} (${error.code ?? 'unknown error'})`);
      });
      try {
        const stream = createWriteStream(draft, { fd: handle.fd, autoClose: false });
        const { rows } = await domain.backups.create(
          async (line) => {
            if (!stream.write(line)) await once(stream, 'drain');
          },
          keyCopyFor(config, passphrase, fileKey),
        );
        stream.end();
        await once(stream, 'finish');
        await handle.sync();
        await rename(draft, file);
        const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
        process.stdout.write(
          `wrote ${file}: ${rows['vaults']} vaults, ${rows['secrets']} secrets, ${total} rows in all, sealed under ${domain.keys.current().active.id}${
            passphrase === undefined ? '' : ', which the passphrase opens too'
          }\n`,
        );
      } catch (error) {
        await rm(draft, { force: true });
        if (error instanceof BackupFileError) throw new StartupError(error.message);
        throw error;
      } finally {
        await handle.close();
      }
    },
    { fileKey },
  );
}

function keyCopyFor(
  config: VaultConfig,
  passphrase: string | undefined,
  fileKey: PassphraseKey | undefined,
): KeyCopy | undefined {
  const held = passphrase === undefined ? undefined : heldMasterKeys(config, fileKey);
  return passphrase === undefined || held === undefined
    ? undefined
    : { passphrase, masters: [held.active, ...held.retired] };
}
