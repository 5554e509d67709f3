import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Only what a program needs to run at all; nothing of the machine's own settings. */
export const plainEnv = { PATH: process.env['PATH'], HOME: '/nonexistent' };

export interface RunningProgram {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a service as a process of its own, on a free port unless told another, and waits until it answers. */
export async function startProgram(
  cli: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<RunningProgram> {
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
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}: ${output}`)));
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
