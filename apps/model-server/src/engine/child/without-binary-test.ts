import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';

const longestTestMs = 5000;

/**
 * Answers as the binding's test program does when all is well. What it does not know it answers by a failed test, and
 * silence as well, so that a binding with another test finds none passed and the caller loads it the long way.
 */
class PassedTest extends EventEmitter {
  exitCode: number | null = null;
  readonly #timer = setTimeout(() => this.#exit(1), longestTestMs).unref();

  constructor() {
    super();
    this.#say('ready');
  }

  send(message: { readonly type?: unknown }): void {
    if (message.type === 'start') this.#say('loaded');
    else if (message.type === 'test') this.#say('done');
    else setImmediate(() => this.#exit(message.type === 'exit' ? 0 : 1));
  }

  kill(): void {
    clearTimeout(this.#timer);
  }

  #say(type: string): void {
    setImmediate(() => this.emit('message', { type }));
  }

  #exit(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.emit('exit', code);
  }
}

/**
 * The binding starts a process of its own before every load, to see whether its binary works on this machine; that is
 * half of the time that loading a small model takes. Once an engine process of this server has loaded the same binary
 * there is nothing left to find out, and should it crash nevertheless, this process is there for that.
 */
export async function withoutBinaryTest<Value>(work: () => Promise<Value>): Promise<Value> {
  const { fork } = childProcess;
  Object.assign(childProcess, { fork: () => new PassedTest() });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(childProcess, { fork });
    syncBuiltinESMExports();
  }
}
