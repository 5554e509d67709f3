import { readFileSync } from 'node:fs';

const key = 'tokenizer.chat_template';

/** The chat template of a GGUF file, found by its key: a string value is its type (4 bytes), length (8) and text. */
export function readChatTemplate(file: string): string {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(key);
  if (at < 0) throw new Error(`${file} has no chat template`);
  const start = at + key.length + 4;
  const length = Number(bytes.readBigUInt64LE(start));
  return bytes.toString('utf8', start + 8, start + 8 + length);
}
