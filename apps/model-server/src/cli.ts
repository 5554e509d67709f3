#!/usr/bin/env node
import { packageVersion } from '@hearth/service-kit/package-version';
import { runProgram } from '@hearth/service-kit/run-program';
import { addSettingsTo } from '@hearth/service-kit/settings';
import { Command } from 'commander';
import { addCommands } from './commands/add-commands.js';
import { serverAddress } from './commands/server-address.js';
import { ServerClient } from './commands/server-client.js';

const program = new Command('hearth')
  .description('Serve local models to three API dialects on one port')
  .version(packageVersion(new URL('../package.json', import.meta.url)), '-v, --version');

const serveCommand = program.command('serve').alias('start').description('start the model server');
// To know every setting takes longer than most commands do, so only those that name them read them.
if (['serve', 'start', 'completion', 'help'].some((word) => process.argv.includes(word))) {
  const { modelServerSettings, readConfig } = await import('./config.js');
  addSettingsTo(serveCommand, modelServerSettings(process.env)).action(
    async (flags: Record<string, unknown>) => {
      const { serve } = await import('./serve.js');
      await serve(readConfig(flags, process.env));
    },
  );
}

const { env, stdin, stdout, stderr } = process;
const client = new ServerClient({ address: () => serverAddress(env), apiKey: env['HEARTH_API_KEY'] });
addCommands(program, { env, stdin, stdout, stderr, client });

await runProgram(program, process.argv);
