export interface Utf8Decoder {
  /** The whole characters that these bytes complete. */
  push(bytes: Uint8Array): string;
  /** What an unfinished character at the end becomes: a replacement character, or nothing. */
  finish(): string;
}

/** Tokens may end in the middle of a character; its first bytes wait here for the rest, so that no half is ever sent. */
export function createUtf8Decoder(): Utf8Decoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    push: (bytes) => decoder.decode(bytes, { stream: true }),
    finish: () => decoder.decode(),
  };
}
