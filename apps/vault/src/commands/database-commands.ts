import { addSettingsTo, type Settings } from '@hearth/service-kit/settings';
import type { Command } from 'commander';
import type { VaultConfig } from '../config.js';

const passphraseFile = '--passphrase-file <file>';

interface PassphraseOption {
  readonly passphraseFile?: string;
}

/** The commands that work on the database and the key file themselves, beside a running vault or without one. */
export function addDatabaseCommands(
  program: Command,
  settings: Settings,
  read: (flags: Readonly<Record<string, unknown>>) => VaultConfig,
): void {
  addSettingsTo(
    program.command('rotate-key').description('wrap all data keys by a new master key, while the vault runs'),
    settings,
  ).action(async (flags) => {
    const { rotateKeyCommand } = await import('./rotate-key.js');
    await rotateKeyCommand(read(flags));
  });

  addSettingsTo(
    program
      .command('rotate-data-keys')
      .description('give vaults new data keys and seal every value anew, while the vault runs')
      .option('--vault <id>', 'only this vault'),
    settings,
  ).action(async ({ vault, ...flags }: { readonly vault?: string }) => {
    const { rotateDataKeysCommand } = await import('./rotate-data-keys.js');
    await rotateDataKeysCommand(read(flags), vault);
  });

  addSettingsTo(
    program
      .command('seal-key')
      .description('give the master key file a passphrase, change it or take it away')
      .option(
        passphraseFile,
        'the new passphrase is in this file (- is standard input); else it is asked for',
      )
      .option('--remove', 'take the passphrase away'),
    settings,
  ).action(async ({ passphraseFile, remove, ...flags }: PassphraseOption & { readonly remove?: true }) => {
    const { sealKeyCommand } = await import('./seal-key.js');
    await sealKeyCommand(read(flags), { passphraseFile, remove: remove === true });
  });

  addSettingsTo(
    program
      .command('backup')
      .description('write everything to one sealed file')
      .argument('<file>')
      .option(
        passphraseFile,
        'add a copy of the master key, sealed under the passphrase in this file (- is standard input)',
      ),
    settings,
  ).action(async (file: string, { passphraseFile, ...flags }: PassphraseOption) => {
    const { backupCommand } = await import('./backup.js');
    await backupCommand(read(flags), file, passphraseFile);
  });

  addSettingsTo(
    program
      .command('restore')
      .description('fill an empty database from a backup file')
      .argument('<file>', 'the backup; - is standard input')
      .option(
        passphraseFile,
        'take the master key from the backup, with the passphrase in this file (- is standard input)',
      ),
    settings,
  ).action(async (file: string, { passphraseFile, ...flags }: PassphraseOption) => {
    const { restoreCommand } = await import('./restore.js');
    await restoreCommand(read(flags), file, passphraseFile);
  });
}
