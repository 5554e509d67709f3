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

await runProgram(program, process.argv);
