import { statSync } from 'node:fs';

/** Tells one state of a file from another, also of the same size under the same path; undefined while there is none. */
export function fileFingerprint(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${path}:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}
