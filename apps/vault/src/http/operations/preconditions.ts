import type { Request } from 'express';
import { VaultError } from '../../errors/vault-error.js';

/** What If-Match and If-None-Match ask of a write. */
export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'present' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] };

/** Reads the version numbers of our ETags, `"3"` or with a letter before them `"r3"`. Weak ones never match a write. */
export function readPrecondition(request: Request, prefix = ''): Precondition {
  const match = request.get('if-match');
  const noneMatch = request.get('if-none-match');
  if (match !== undefined && noneMatch !== undefined) {
    throw new VaultError('invalid_request', 'Send If-Match or If-None-Match, not both.');
  }
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return { kind: 'absent' };
    throw new VaultError('invalid_request', 'A write takes If-None-Match: * only.');
  }
  if (match === undefined) return { kind: 'none' };
  if (match.trim() === '*') return { kind: 'present' };
  return { kind: 'versions', versions: versionsIn(match, prefix) };
}

/** The one revision of a vault that a request names, if it names any. */
export function revisionIn(condition: Precondition): number | undefined {
  if (condition.kind === 'none' || condition.kind === 'present') return undefined;
  const [revision, ...more] = condition.kind === 'versions' ? condition.versions : [];
  if (revision === undefined || more.length > 0) throw new VaultError('precondition_failed');
  return revision;
}

/** Whether a reader already has this version. */
export function isNotModified(request: Request, etag: string): boolean {
  const header = request.get('if-none-match');
  if (header === undefined) return false;
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => plain(tag) === plain(etag));
}

function versionsIn(header: string, prefix: string): number[] {
  return header.split(',').flatMap((part) => {
    const tag = /^(W\/)?"([^"]*)"$/.exec(part.trim());
    if (tag === null)
      throw new VaultError('invalid_request', 'If-Match must hold ETags as the server sent them.');
    const text = tag[2] ?? '';
    const number = text.startsWith(prefix) ? text.slice(prefix.length) : '';
    return tag[1] === undefined && /^[1-9]\d{0,14}$/.test(number) ? [Number(number)] : [];
  });
}
