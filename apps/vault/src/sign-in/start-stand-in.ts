import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Logger } from '@hearth/service-kit/logger';
import { StartupError } from '@hearth/service-kit/startup-error';
import { type StandInSettings, standInReplySchema } from '../stand-in/stand-in-settings.js';
import { githubProvider, googleProvider, type ProviderSettings } from './provider-settings.js';

export interface RunningStandIn {
  readonly url: string;
  readonly providers: readonly ProviderSettings[];
  stop(): Promise<void>;
}

export interface StandInOptions {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly logger: Logger;
  /** The program to run; the built one unless a test says otherwise. */
  readonly program?: URL;
}

/**
 * Starts the stand-in providers in a process of their own: the vault speaks to them over the network as it would to
 * the real ones, through the same strategies. Their credentials are made anew at every start.
 */
export async function startStandIn(options: StandInOptions): Promise<RunningStandIn> {
  const { host, port, publicUrl, logger } = options;
  const program = options.program ?? new URL('../stand-in/main.js', import.meta.url);
  // It needs nothing of our environment, which holds the master key.
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const client = () => ({ clientId: randomId(), clientSecret: randomId() });
  const settings: StandInSettings = { host, port, publicUrl, github: client(), google: client() };
  child.send(settings);
  const url = await addressOf(child);
  child.once('exit', (code) => {
    if (!child.killed) logger.error({ code }, 'the stand-in providers ended unexpectedly');
  });
  const isStandIn = true;
  return {
    url,
    providers: [
      githubProvider({ ...settings.github, oauthBase: url, apiBase: url, isStandIn }),
      googleProvider({ ...settings.google, base: url, isStandIn }),
    ],
    stop: () => stop(child),
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const gone = once(child, 'exit').then(() => ({ problem: 'the stand-in providers could not start' }));
  const message = once(child, 'message').then(([reply]) => standInReplySchema.parse(reply));
  const reply = await Promise.race([message, gone]);
  if ('url' in reply) return reply.url;
  child.kill('SIGKILL');
  throw new StartupError(reply.problem);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // It keeps nothing that could be lost.
  child.kill('SIGKILL');
  await ended;
}

function randomId(): string {
  return randomBytes(20).toString('hex');
}
