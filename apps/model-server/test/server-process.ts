import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const cli = path.resolve(import.meta.dirname, '../dist/cli.js');

/** The real server program in a process of its own, which can be killed. */
export class ServerProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** With `largestFileBlocks` (of 512 bytes), no file that it writes gets longer: the disk looks full to it. */
  static async start(
    env: NodeJS.ProcessEnv,
    options: { readonly largestFileBlocks?: number } = {},
  ): Promise<ServerProcess> {
    const { largestFileBlocks: blocks } = options;
    const limit = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath];
    const child = fork(cli, ['serve', '--host', '127.0.0.1', '--port', '0', '--threads', '1'], {
      ...(blocks === undefined ? {} : { execPath: '/bin/sh', execArgv: limit }),
      env: { ...process.env, HEARTH_LOG_LEVEL: 'error', HEARTH_API_KEY: '', HEARTH_MODELS: '', ...env },
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        child.on('message', (message: { kind: string; url: string }) => {
          if (message.kind === 'ready') resolve(message.url);
        });
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      });
      return new ServerProcess(url, child);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** As a crash would end it: nothing is tidied up. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
  }
}

/** A pull under way at a server, line by line as its client sees it. */
export class RemotePull {
  private readonly leaving = new AbortController();
  private text = '';
  private ended = false;
  private watchers: (() => void)[] = [];
  /** All it said, once it is over; a server that was killed says no more. */
  readonly end: Promise<string>;

  constructor(url: string, model: string) {
    this.end = this.read(url, model);
  }

  private async read(url: string, model: string): Promise<string> {
    try {
      const body = JSON.stringify({ model, insecure: true });
      const { signal } = this.leaving;
      const reply = await fetch(`${url}/api/pull`, { method: 'POST', body, signal });
      const decoder = new TextDecoder();
      for await (const part of reply.body as unknown as AsyncIterable<Uint8Array>) {
        this.text += decoder.decode(part, { stream: true });
        for (const check of this.watchers) check();
      }
    } catch {
      // Broken off, by us or by a kill: what it said until then is the outcome.
    }
    this.ended = true;
    for (const check of this.watchers) check();
    return this.text;
  }

  get completedBytes(): number {
    return Math.max(0, ...[...this.text.matchAll(/"completed":(\d+)/g)].map((match) => Number(match[1])));
  }

  async reached(bytes: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (this.completedBytes >= bytes) resolve();
        else if (this.ended)
          reject(new Error(`the pull ended before ${bytes} bytes: ${this.text.slice(-500)}`));
      };
      this.watchers.push(check);
      check();
    });
  }

  leave(): void {
    this.leaving.abort();
  }
}
