import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const maxLines = 500;

/** What was typed in earlier chats, kept for the arrow keys. Private to its owner; losing it is no error. */
export class ChatHistory {
  constructor(private readonly file: string | undefined) {}

  /** The newest first, as readline wants it. */
  load(): string[] {
    if (this.file === undefined) return [];
    try {
      const lines = readFileSync(this.file, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const newest = lines.slice(-maxLines);
      // Not each time: another chat may be adding to it.
      if (lines.length > 2 * maxLines) this.replaceBy(newest);
      return newest.reverse();
    } catch {
      return [];
    }
  }

  private replaceBy(lines: readonly string[]): void {
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600 });
    renameSync(draft, this.file ?? '');
  }

  add(line: string): void {
    if (this.file === undefined || line.trim() === '') return;
    try {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
      appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
    } catch {
      return;
    }
  }
}
