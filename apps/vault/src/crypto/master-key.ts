import { randomBytes } from 'node:crypto';

/** The one secret that is never in the database: 32 bytes from which every other key follows. */
export type MasterKey = Buffer;

const masterKeyBytes = 32;

/** A master key that cannot be used. The message says how to mend it and never repeats the key. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

const howToMakeOne = 'make one with: openssl rand -base64 32';
const base64Of32Bytes = /^[A-Za-z0-9+/_-]{43}=?$/;
// 32 random bytes hold about 30 different ones; fewer than 16 happens less often than once in 10^15 keys.
const leastDifferentBytes = 16;

/** Reads a master key written in base64. Short, hexadecimal and hand-typed keys are refused: they are too easy to guess. */
export function parseMasterKey(text: string): MasterKey {
  const trimmed = text.trim();
  if (/^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{64})$/.test(trimmed)) {
    throw new MasterKeyError(
      `the master key is hexadecimal; it must be 32 bytes in base64 (${howToMakeOne})`,
    );
  }
  if (!base64Of32Bytes.test(trimmed)) {
    throw new MasterKeyError(`the master key must be exactly 32 bytes in base64 (${howToMakeOne})`);
  }
  const key = Buffer.from(trimmed, 'base64');
  if (key.length !== masterKeyBytes) {
    throw new MasterKeyError(`the master key must be exactly 32 bytes in base64 (${howToMakeOne})`);
  }
  if (new Set(key).size < leastDifferentBytes || isPrintable(key)) {
    throw new MasterKeyError(`the master key is not random enough to protect anything (${howToMakeOne})`);
  }
  return key;
}

export function makeMasterKey(): MasterKey {
  for (;;) {
    const key = randomBytes(masterKeyBytes);
    // The checks above must never refuse a key of our own making.
    if (new Set(key).size >= leastDifferentBytes && !isPrintable(key)) return key;
  }
}

export function printMasterKey(key: MasterKey): string {
  return key.toString('base64');
}

/** Master keys that were put one behind the other. */
export function splitMasterKeys(bytes: Buffer): MasterKey[] {
  return Array.from({ length: bytes.length / masterKeyBytes }, (_, index) =>
    bytes.subarray(index * masterKeyBytes, (index + 1) * masterKeyBytes),
  );
}

/** Text typed by a person and then encoded: 32 random bytes are all printable once in 10^13 keys. */
function isPrintable(key: Buffer): boolean {
  return key.every((byte) => byte >= 0x20 && byte < 0x7f);
}
