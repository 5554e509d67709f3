import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal } from './principal.js';
import { defaultMaxTokenLength } from './read-credentials.js';
import type { TokenVerifier } from './token-verifier.js';

const holder: Principal = { id: 'api-key', scopes: new Set(['*']) };

/**
 * Accepts one configured key and nothing else; who sends it may do everything. Both sides are hashed before the
 * comparison, so that its time tells neither the key's length nor how much of a guess was right.
 */
export function singleKeyVerifier(key: string, principal: Principal = holder): TokenVerifier {
  if (key.length > defaultMaxTokenLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw new RangeError(
      `The key must be 1 to ${defaultMaxTokenLength} visible ASCII characters without spaces: others cannot be sent in a header.`,
    );
  }
  const expected = digest(key);
  return {
    async verify(token) {
      return timingSafeEqual(digest(token), expected) ? principal : null;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
