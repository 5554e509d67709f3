import { createHash } from 'node:crypto';

/**
 * The link of one audit event to the one before it: SHA-256 over the previous hash and the event in canonical JSON.
 * Changing, removing or reordering any event breaks every link after it.
 */
export function auditHash(previous: Buffer | null, event: unknown): Buffer {
  return createHash('sha256')
    .update(previous ?? Buffer.alloc(32))
    .update(canonicalJson(event), 'utf8')
    .digest();
}

/** JSON with sorted keys and without undefined: the same facts always give the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
