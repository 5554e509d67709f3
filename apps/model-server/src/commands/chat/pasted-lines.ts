import type { Readable } from 'node:stream';

/** Asks a terminal to say where a paste begins and ends, and to stop saying so. */
export const pasteMarks = { on: '\x1b[?2004h', off: '\x1b[?2004l' };

/** Keeps the lines of a paste together: they are one text, and not as many questions. */
export class PastedLines {
  private isPasting = false;
  private lines: string[] = [];

  constructor(input: Readable) {
    input.on('keypress', (_text: string | undefined, key: { readonly name?: string } | undefined) => {
      if (key?.name === 'paste-start') this.isPasting = true;
      if (key?.name === 'paste-end') this.isPasting = false;
    });
  }

  /** The line with all that was pasted before it, or undefined while more is to come. */
  add(line: string): string | undefined {
    this.lines.push(line);
    return this.isPasting ? undefined : this.lines.splice(0).join('\n');
  }

  /** Ctrl-C: what was pasted and not yet sent is dropped; the end of the paste may have been lost on its way. */
  reset(): void {
    this.isPasting = false;
    this.lines = [];
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }
}
