#!/usr/bin/env node
import { packageVersion } from '@hearth/service-kit/package-version';
import { runProgram } from '@hearth/service-kit/run-program';
import { addSettingsTo } from '@hearth/service-kit/settings';
import { Command } from 'commander';
import { modelServerSettings, readConfig } from './config.js';
import { serve } from './serve.js';

const program = new Command('hearth')
  .description('Serve local models to three API dialects on one port')
  .version(packageVersion(new URL('../package.json', import.meta.url)));

addSettingsTo(
  program.command('serve').description('start the model server'),
  modelServerSettings(process.env),
).action((flags: Record<string, unknown>) => serve(readConfig(flags, process.env)));

await runProgram(program, process.argv);
