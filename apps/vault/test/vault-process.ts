import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Only what a program needs to run at all; nothing of the machine's own settings. */
const plainEnv = { PATH: process.env['PATH'], HOME: '/nonexistent' };

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs hearth-vault as a process of its own, to its end. */
export async function runCli(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string | Buffer; onStart?: (child: ChildProcess) => void } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...plainEnv, ...options.env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  options.onStart?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  };
}

export interface VaultProcess {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a whole vault as a process of its own and waits until it answers. */
export async function startVaultProcess(
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<VaultProcess> {
  const child = fork(cli, ['serve', '--host', '127.0.0.1', '--port', '0', ...args], {
    env: { ...plainEnv, ...env },
    silent: true,
    execArgv: [],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { kind?: string; url?: string }) => {
      if (message.kind === 'ready' && message.url) resolve(message.url);
    });
    child.once('exit', (code) => reject(new Error(`the vault ended with ${code}: ${output}`)));
  });
  return {
    url,
    child,
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
