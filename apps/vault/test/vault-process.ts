import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { plainEnv, type RunningProgram, startProgram } from './start-program.js';

export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs hearth-vault as a process of its own, to its end. Input that is still to come keeps it waiting. */
export async function runCli(
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    input?: string | Buffer | Promise<string>;
    onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...plainEnv, ...options.env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  void Promise.resolve(options.input ?? '').then((input) => child.stdin.end(input));
  options.onStart?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  };
}

export type VaultProcess = RunningProgram;

/** Starts a whole vault as a process of its own and waits until it answers. */
export function startVaultProcess(
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<VaultProcess> {
  return startProgram(cli, env, args);
}
