export type ChatInputResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'more' }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'message'; readonly text: string };

/** The quotes that end a text are the last of their line; others belong to it. */
const closingQuotes = /"""\s*$/;

/**
 * Puts typed lines together: a text between triple quotes may have many, a line that starts with `/` is a command. What
 * was pasted comes as one text of many lines; it may be code that only looks like either, and nothing of it is dropped.
 */
export class ChatInput {
  private open: { readonly isSystem: boolean; readonly lines: string[] } | undefined;

  feed(line: string): ChatInputResult {
    if (this.open) return this.continueText(line);
    const trimmed = line.trim();
    if (trimmed === '') return { kind: 'empty' };
    const opening = /^(\/set\s+system\s+)?"""(.*)$/s.exec(trimmed);
    if (opening) {
      const text = opening[2] ?? '';
      if (text.includes('"""') && !closingQuotes.test(text)) return { kind: 'message', text: line };
      this.open = { isSystem: opening[1] !== undefined, lines: [] };
      return this.continueText(text);
    }
    const command = /^\/(\S*)\s*(.*)$/s.exec(trimmed);
    const isPastedText = trimmed.includes('\n') && !/^\/set\s+system\s/.test(trimmed);
    // A path such as /etc/hosts is something to talk about, not a command.
    if (command && !isPastedText && !command[1]?.includes('/')) {
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
    lines.push(line.replace(closingQuotes, ''));
    if (!closingQuotes.test(line)) return { kind: 'more' };
    this.open = undefined;
    const text = lines.join('\n').replace(/^\n/, '');
    if (isSystem) return { kind: 'command', name: 'set', argument: `system ${text}` };
    return text.trim() === '' ? { kind: 'empty' } : { kind: 'message', text };
  }
}
