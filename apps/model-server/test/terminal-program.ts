import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const cli = path.resolve(import.meta.dirname, '../dist/cli.js');

/** util-linux's `script` gives a program a terminal of its own; it is on every Debian, Ubuntu, Fedora and Arch. */
export const canMakeTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');

/** The real program in a pseudo-terminal, with keys to press and a screen to read. */
export class TerminalProgram {
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;
  private screen = '';
  private watchers: (() => void)[] = [];

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    const command = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
    this.child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, ...env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (part) => {
      this.screen += String(part);
      for (const check of this.watchers) check();
    });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
  }

  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Waits until the text stands on the screen after what was waited for before, and gives what came until then. */
  async see(text: string): Promise<string> {
    return await new Promise((resolve, reject) => {
      const check = () => {
        const at = this.screen.indexOf(text);
        if (at < 0) return;
        const seen = this.screen.slice(0, at + text.length);
        this.screen = this.screen.slice(at + text.length);
        this.watchers = this.watchers.filter((one) => one !== check);
        resolve(seen);
      };
      this.watchers.push(check);
      void this.exited.then(() => reject(new Error(`ended without "${text}": ${this.screen}`)));
      check();
    });
  }

  async exitCode(): Promise<number | null> {
    return await this.exited;
  }

  close(): void {
    this.child.kill('SIGKILL');
  }
}
