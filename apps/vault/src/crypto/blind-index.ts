import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { DataKey } from './data-key.js';
import type { PlainValue } from './sealed-value.js';

/**
 * A keyed fingerprint of a value: equal values of one vault have equal fingerprints, and without the data key
 * nobody can test a guess. It tells "not changed" without opening what is stored.
 */
export function blindIndex(key: DataKey, value: PlainValue): Buffer {
  const indexKey = Buffer.from(hkdfSync('sha256', key, '', 'hearth-vault/1/blind-index', 32));
  return createHmac('sha256', indexKey).update(`${value.encoding}:`).update(value.bytes).digest();
}

export function sameIndex(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
