export type ChatInputResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'more' }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'message'; readonly text: string };

const quotes = '"""';

/** Puts typed lines together: a text between triple quotes may have many, a line that starts with `/` is a command. */
export class ChatInput {
  private open: { readonly isSystem: boolean; readonly lines: string[] } | undefined;

  feed(line: string): ChatInputResult {
    if (this.open) return this.continueText(line);
    const trimmed = line.trim();
    if (trimmed === '') return { kind: 'empty' };
    const opening = /^(\/set\s+system\s+)?"""(.*)$/s.exec(trimmed);
    if (opening) {
      this.open = { isSystem: opening[1] !== undefined, lines: [] };
      return this.continueText(opening[2] ?? '');
    }
    const command = /^\/(\S*)\s*(.*)$/s.exec(trimmed);
    // A path such as /etc/hosts is something to talk about, not a command.
    if (command && !command[1]?.includes('/')) {
      return { kind: 'command', name: command[1] ?? '', argument: command[2] ?? '' };
    }
    return { kind: 'message', text: line };
  }

  /** Whether a text of several lines has been begun. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** Ctrl-C: whatever was begun is dropped. */
  reset(): void {
    this.open = undefined;
  }

  private continueText(line: string): ChatInputResult {
    const { isSystem = false, lines = [] } = this.open ?? {};
    const end = line.indexOf(quotes);
    if (end < 0) {
      lines.push(line);
      return { kind: 'more' };
    }
    lines.push(line.slice(0, end));
    this.open = undefined;
    const text = lines.join('\n').replace(/^\n/, '');
    if (isSystem) return { kind: 'command', name: 'set', argument: `system ${text}` };
    return text.trim() === '' ? { kind: 'empty' } : { kind: 'message', text };
  }
}
