import { constants } from 'node:os';
import type { Command } from 'commander';
import { StartupError } from './startup-error.js';

/**
 * Runs a command-line program. What a person can mend comes out as one line on standard error; anything else is a
 * fault of ours and says so with the place it happened, because nobody can report "something went wrong".
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  for (const output of [process.stdout, process.stderr]) output.on('error', endWithReader);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof StartupError) {
      process.stderr.write(`${program.name()}: ${error.message}\n`);
      process.exitCode = error.exitCode;
      return;
    }
    const where = error instanceof Error ? error.stack?.split('\n')[1]?.trim() : undefined;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    process.stderr.write(`${program.name()}: internal error: ${what}${where ? ` (${where})` : ''}\n`);
    process.exitCode = 70;
  }
}

/** `program | head`: who reads has seen enough, and a program in a pipe then ends as if by this signal. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(128 + constants.signals.SIGPIPE);
}
