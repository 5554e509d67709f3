import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const maxLines = 500;

/** What was typed in earlier chats, kept for the arrow keys. Private to its owner; losing it is no error. */
export class ChatHistory {
  constructor(private readonly file: string | undefined) {}

  /** The newest first, as readline wants it. */
  load(): string[] {
    if (this.file === undefined) return [];
    try {
      const lines = readFileSync(this.file, 'utf8').split('\n');
      return lines
        .filter((line) => line !== '')
        .slice(-maxLines)
        .reverse();
    } catch {
      return [];
    }
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
