import { type KeyObject, verify } from 'node:crypto';

/** GitHub's public keys, each by the identifier that a signed request names. */
export type GitHubKeys = ReadonlyMap<string, KeyObject>;

export interface GitHubSignature {
  readonly identifier: string | undefined;
  /** ECDSA over P-256 and SHA-256, in DER and base64. */
  readonly signature: string | undefined;
}

/** Whether GitHub signed exactly these bytes. */
export function isSignedByGitHub(
  keys: GitHubKeys,
  body: Buffer | undefined,
  { identifier, signature }: GitHubSignature,
): boolean {
  const key = identifier === undefined ? undefined : keys.get(identifier);
  if (key === undefined || signature === undefined || body === undefined) return false;
  return verify('sha256', body, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64'));
}
