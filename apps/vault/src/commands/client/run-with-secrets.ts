import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { StartupError } from '@hearth/service-kit/startup-error';
import { isUnsafeName } from './unsafe-names.js';

export interface RunOptions {
  readonly command: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly env: NodeJS.ProcessEnv;
  readonly allowUnsafe: boolean;
}

const forwarded = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'] as const;

/**
 * Runs a program with secrets in its environment and returns its exit code. No shell stands between, so nothing of a
 * secret is ever read as code; signals go on to the program; the vault's own token does not.
 */
export async function runWithSecrets({ command, secrets, env, allowUnsafe }: RunOptions): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) throw new StartupError('say what to run: hearth-vault run -- program arguments');
  const unsafe = allowUnsafe ? [] : Object.keys(secrets).filter(isUnsafeName);
  if (unsafe.length > 0) {
    throw new StartupError(
      `refusing to set ${unsafe.join(', ')}: such a variable can make the program run something else (--allow-unsafe-env sets it anyway, --only chooses others)`,
    );
  }
  const { HEARTH_VAULT_TOKEN: _token, ...rest } = env;
  const child = spawn(program, args, { stdio: 'inherit', env: { ...rest, ...secrets } });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  // On a terminal Ctrl-C reaches the child by itself, being of the same group; it must not end us before the child.
  const interrupt = () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  };
  for (const signal of forwarded) process.on(signal, forward);
  process.on('SIGINT', interrupt);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(cannotRun(program, error)));
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
    process.off('SIGINT', interrupt);
  }
}

/** With the codes that a shell would use: 127 for a program that is not there, 126 for one that may not be run. */
function cannotRun(program: string, error: NodeJS.ErrnoException): StartupError {
  const missing = error.code === 'ENOENT';
  return new StartupError(
    missing ? `${program}: no such program` : `${program}: cannot be run (${error.code ?? 'unknown error'})`,
    missing ? 127 : 126,
  );
}
