import type { SecretEntry } from './secret-entry.js';

/** Lines to `source` in any POSIX shell. Inside single quotes nothing is special, so no value can run as code. */
export function writeShell(entries: readonly SecretEntry[]): string {
  return entries.map(({ key, value }) => `export ${key}='${value.replaceAll("'", "'\\''")}'\n`).join('');
}
