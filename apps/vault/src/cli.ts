#!/usr/bin/env node
import { packageVersion } from '@hearth/service-kit/package-version';
import { runProgram } from '@hearth/service-kit/run-program';
import { addSettingsTo } from '@hearth/service-kit/settings';
import { Command } from 'commander';
import { addClientCommands } from './commands/client/client-commands.js';
import { addDatabaseCommands } from './commands/database-commands.js';
import { readConfig, vaultSettings } from './config.js';

const env = process.env;
const settings = vaultSettings(env);

const program = new Command('hearth-vault')
  // So that what follows `run -- program` belongs to the program.
  .enablePositionalOptions()
  .description('Keeps secrets in encrypted vaults, behind sign-in and scoped API tokens')
  .version(packageVersion(new URL('../package.json', import.meta.url)));

// Each command loads what it needs when it runs: --help and the client commands start at once.
addSettingsTo(program.command('serve').description('run the vault'), settings).action(async (flags) => {
  const { serve } = await import('./commands/serve.js');
  await serve(readConfig({ flags, env }));
});

addSettingsTo(
  program.command('migrate').description('bring the database up to date and end'),
  settings,
).action(async (flags) => {
  const { migrateCommand } = await import('./commands/migrate.js');
  await migrateCommand(readConfig({ flags, env }));
});

addDatabaseCommands(program, settings, (flags) => readConfig({ flags, env }));
addClientCommands(program, env);

program
  .command('scan')
  .description('look for tokens of a vault in files, without a vault; exit code 1 where one is found')
  .argument('[paths...]', 'files and folders, by default this one; - is standard input')
  .option('--staged', 'instead of paths, what git would commit next')
  .option('--json', 'as JSON')
  .action(async (paths: readonly string[], flags: { readonly staged?: true; readonly json?: true }) => {
    const { scanCommand } = await import('./commands/scan/scan.js');
    await scanCommand(paths, { staged: flags.staged === true, json: flags.json === true });
  });

await runProgram(program, process.argv);
