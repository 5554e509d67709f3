import type { Readable, Writable } from 'node:stream';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { ServerClient } from './server-client.js';

/** What a command may touch, handed in so that tests can read what it wrote. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly client: ServerClient;
}

/** No server answers where one was looked for. */
export const noServerExitCode = 2;

/** Ends the command with one line for the person at the terminal. */
export function commandError(message: string, exitCode = 1): StartupError {
  return new StartupError(message, exitCode);
}

export function printJson(context: CommandContext, value: unknown): void {
  context.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
