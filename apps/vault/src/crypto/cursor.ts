import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where the next page begins: the sort key and id of the last row of this one. */
export type CursorPosition = readonly (string | number)[];

const macBytes = 16;
const longestCursor = 2048;

/**
 * Signs a position together with the list it belongs to (`purpose`), so that a caller can neither make a cursor nor
 * carry one from one list to another.
 */
export function writeCursor(key: Buffer, purpose: string, position: CursorPosition): string {
  const body = Buffer.from(JSON.stringify(position), 'utf8');
  return Buffer.concat([macOf(key, purpose, body), body]).toString('base64url');
}

/** The position, or undefined for anything that was not made by `writeCursor` for the same list. */
export function readCursor(key: Buffer, purpose: string, cursor: string): CursorPosition | undefined {
  if (cursor.length > longestCursor || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  // Node ignores stray trailing bits; one position has one spelling.
  if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return undefined;
  const body = bytes.subarray(macBytes);
  if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(key, purpose, body))) return undefined;
  return JSON.parse(body.toString('utf8')) as CursorPosition;
}

function macOf(key: Buffer, purpose: string, body: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`${purpose.length}:${purpose}`)
    .update(body)
    .digest()
    .subarray(0, macBytes);
}
