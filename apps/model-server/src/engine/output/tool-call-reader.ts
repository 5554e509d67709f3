/** Where a reader puts what it understands of a call. */
export interface ToolCallSink {
  /** From here on the call is real: its text can no longer fall back to plain text. */
  start(name: string): void;
  argumentsText(text: string): void;
  end(): void;
}

/**
 * What became of one character.
 * - `more`: it belongs to the call text.
 * - `end`: it belongs to the call text and ends it.
 * - `end-before`: the call text ended before it.
 * - `malformed`: this is no call; it and all since the opening are plain text, or since the last started call.
 */
export type ToolCallProgress = 'more' | 'end' | 'end-before' | 'malformed';

/** Reads the text after a call's opening, one character at a time. */
export interface ToolCallReader {
  next(character: string): ToolCallProgress;
  /** No more text comes: whatever is started is ended. Says whether the text so far was a whole call. */
  finish(): 'end' | 'malformed';
}
