/** One name and its value, as files of secrets hold them. */
export interface SecretEntry {
  readonly key: string;
  readonly value: string;
}

/** A line that could not be read, in the caller's terms. It never repeats the line: it may hold a secret. */
export interface LineProblem {
  readonly line: number;
  readonly reason: string;
}

export interface ParsedEntry extends SecretEntry {
  readonly line: number;
}

export interface ParsedEntries {
  readonly entries: readonly ParsedEntry[];
  /** What could not be read. */
  readonly problems: readonly LineProblem[];
  /** What was read but may not be what the writer meant. */
  readonly warnings: readonly LineProblem[];
}

/** Names that no shell, .env reader or `env` can trip over. */
export const keyPattern = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

export const keyRule =
  'must start with a letter or _ and hold only letters, digits and _, at most 255 characters';

/** Values that a format has no way to write. Better no file than one that reads back as something else. */
export class UnwritableValuesError extends Error {
  override readonly name = 'UnwritableValuesError';

  constructor(
    readonly format: string,
    readonly keys: readonly string[],
  ) {
    super(`the ${format} format cannot hold the values of: ${keys.join(', ')}`);
  }
}
