import { createHash } from 'node:crypto';
import { GenerationError } from '../../generation/generation-error.js';

/** `sha256:` and 64 lower-case hex digits. */
export type Digest = `sha256:${string}`;

const pattern = /^sha256[:-]([0-9a-fA-F]{64})$/;

export function tryParseDigest(text: string): Digest | undefined {
  const hex = pattern.exec(text)?.[1];
  return hex === undefined ? undefined : `sha256:${hex.toLowerCase()}`;
}

export function parseDigest(text: string): Digest {
  const digest = tryParseDigest(text);
  if (!digest) throw new GenerationError('invalid-request', 'invalid digest format', { param: 'digest' });
  return digest;
}

export function digestOf(bytes: string | Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Every digest that a text of any kind names. */
export function digestsIn(text: string): readonly Digest[] {
  return [...text.matchAll(/sha256[:-]([0-9a-f]{64})/gi)].map(
    ([, hex = '']) => `sha256:${hex.toLowerCase()}` as const,
  );
}

export function digestHex(digest: Digest): string {
  return digest.slice('sha256:'.length);
}

/** The twelve digits that progress lines show. */
export function shortDigest(digest: Digest): string {
  return digestHex(digest).slice(0, 12);
}
