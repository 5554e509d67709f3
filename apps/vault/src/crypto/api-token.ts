import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `sk-svc-`, 40 random base62 characters (238 bits), 6 base62 digits of a CRC-32 over all before them. */
export interface MintedToken {
  /** Shown once and never stored. */
  readonly value: string;
  readonly hash: Buffer;
  /** The last four characters of the random part: enough to tell tokens apart in a list. */
  readonly lastFour: string;
}

export const tokenPrefix = 'sk-svc-';
const bodyLength = 40;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const tokenLength = tokenPrefix.length + bodyLength + checksumLength;
const tokenPattern = /^sk-svc-[0-9A-Za-z]{46}$/;

export function mintToken(): MintedToken {
  const unsigned = tokenPrefix + randomBase62(bodyLength);
  return {
    value: unsigned + checksumOf(unsigned),
    hash: hashToken(unsigned + checksumOf(unsigned)),
    lastFour: unsigned.slice(-4),
  };
}

/** Whether a text can be a token of ours at all. A typing error stops here and never reaches the database. */
export function isWellFormedToken(text: string): boolean {
  if (!tokenPattern.test(text)) return false;
  const unsigned = text.slice(0, -checksumLength);
  return checksumOf(unsigned) === text.slice(-checksumLength);
}

/** Enough to find a token in a list, and nothing to use it by. */
export function tokenHint(token: string): string {
  return `${tokenPrefix}…${token.slice(-checksumLength - 4, -checksumLength)}`;
}

/** A fast hash is right here: 238 random bits cannot be guessed, so a slow one would only slow every request. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function checksumOf(unsigned: string): string {
  let rest = crc32(unsigned);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 x 62: taking the bytes above it too would make some characters likelier than others.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
