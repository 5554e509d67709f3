import { createHash, randomBytes } from 'node:crypto';

const pattern = /^[A-Za-z0-9_-]{43}$/;

/** What the cookie holds: 32 random bytes. The database keeps only their hash. */
export function makeSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash to look a cookie up by, or nothing for a cookie that cannot be one of ours. */
export function hashSessionSecret(secret: string): Buffer | undefined {
  return pattern.test(secret) ? createHash('sha256').update(secret).digest() : undefined;
}
