import type { DataKey } from './data-key.js';
import { seal, UnsealError, unseal } from './sealed-box.js';

export const valueEncodings = ['utf8', 'base64'] as const;
/** `utf8`: text. `base64`: bytes, which travel as base64 and are sealed as bytes. */
export type ValueEncoding = (typeof valueEncodings)[number];

export interface PlainValue {
  readonly bytes: Buffer;
  readonly encoding: ValueEncoding;
}

/** Where a sealed value belongs: the ids are of fixed width, so no two places read alike. */
export interface ValuePlace {
  readonly vaultId: string;
  readonly secretId: string;
  readonly version: number;
  readonly vaultKeyId: string;
}

// Inside the box: encoding (1 byte), length (4 bytes), the value, zeros up to the next step. So a ciphertext tells
// the length of a value to within 32 bytes only.
const headerBytes = 5;
const step = 32;

export function sealValue(key: DataKey, value: PlainValue, place: ValuePlace): Buffer {
  const padded = Buffer.alloc(Math.ceil((headerBytes + value.bytes.length) / step) * step);
  padded[0] = valueEncodings.indexOf(value.encoding);
  padded.writeUInt32BE(value.bytes.length, 1);
  value.bytes.copy(padded, headerBytes);
  const blob = seal(key, padded, contextOf(place));
  padded.fill(0);
  return blob;
}

export function openValue(key: DataKey, blob: Buffer, place: ValuePlace): PlainValue {
  const padded = unseal(key, blob, contextOf(place));
  const encoding = valueEncodings[padded[0] ?? -1];
  const length = padded.length < headerBytes ? -1 : padded.readUInt32BE(1);
  if (encoding === undefined || length < 0 || headerBytes + length > padded.length) throw new UnsealError();
  const bytes = Buffer.from(padded.subarray(headerBytes, headerBytes + length));
  padded.fill(0);
  return { bytes, encoding };
}

function contextOf(place: ValuePlace): string {
  return `hv1|val|${place.vaultId}|${place.secretId}|${place.version}|${place.vaultKeyId}`;
}
