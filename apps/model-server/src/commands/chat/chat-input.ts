export type ChatInputResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'more' }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'message'; readonly text: string };

const quotes = '"""';

/** Puts typed lines together: a text between triple quotes may have many, a line that starts with `/` is a command. */
export class ChatInput {
  private open: string[] | undefined;

  feed(line: string): ChatInputResult {
    if (this.open) return this.continueText(line);
    const trimmed = line.trim();
    if (trimmed === '') return { kind: 'empty' };
    if (trimmed.startsWith(quotes)) {
      this.open = [];
      return this.continueText(trimmed.slice(quotes.length));
    }
    const command = /^\/(\S*)\s*(.*)$/s.exec(trimmed);
    // A path such as /etc/hosts is something to talk about, not a command.
    if (command && !command[1]?.includes('/')) {
      return { kind: 'command', name: command[1] ?? '', argument: command[2] ?? '' };
    }
    return { kind: 'message', text: line };
  }

  /** Ctrl-C: whatever was begun is dropped. */
  reset(): void {
    this.open = undefined;
  }

  private continueText(line: string): ChatInputResult {
    const lines = this.open ?? [];
    const end = line.indexOf(quotes);
    if (end < 0) {
      lines.push(line);
      this.open = lines;
      return { kind: 'more' };
    }
    lines.push(line.slice(0, end));
    this.open = undefined;
    const text = lines.join('\n').replace(/^\n/, '');
    return text.trim() === '' ? { kind: 'empty' } : { kind: 'message', text };
  }
}
