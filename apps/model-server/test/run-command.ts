import { PassThrough, Readable, Writable } from 'node:stream';
import { StartupError } from '@hearth/service-kit/startup-error';
import { Command } from 'commander';
import { addCommands } from '../src/commands/add-commands.js';
import { ServerClient } from '../src/commands/server-client.js';

export interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs one command of the program in this process and gives back what it printed. */
export async function runCommand(
  url: string,
  args: readonly string[],
  options: {
    readonly apiKey?: string;
    readonly stdin?: string;
    readonly terminalErrors?: boolean;
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): Promise<CommandOutcome> {
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr', extra: object) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += String(chunk);
          done();
        },
      }),
      extra,
    );
  const terminal = options.terminalErrors === true ? { isTTY: true, columns: 100 } : {};
  const stdin =
    options.stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(options.stdin)]);
  const program = new Command('hearth').exitOverride().configureOutput({
    writeOut: (text) => {
      written.stdout += text;
    },
    writeErr: (text) => {
      written.stderr += text;
    },
  });
  addCommands(program, {
    env: options.env ?? {},
    stdin,
    stdout: sink('stdout', {}),
    stderr: sink('stderr', terminal),
    client: new ServerClient({ address: () => url, apiKey: options.apiKey }),
  });
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync(['node', 'hearth', ...args]);
    return { ...written, exitCode: 0 };
  } catch (error) {
    if (error instanceof StartupError) {
      return { ...written, stderr: `${written.stderr}${error.message}\n`, exitCode: error.exitCode };
    }
    const { exitCode } = error as { exitCode?: number };
    if (exitCode === undefined) throw error;
    return { ...written, exitCode };
  }
}
