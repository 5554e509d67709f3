import type { SecretEntry } from './secret-entry.js';

/** A flat YAML map. Every value is quoted with JSON's escapes, which YAML shares, so `no` and `1e3` stay text. */
export function writeYaml(entries: readonly SecretEntry[]): string {
  if (entries.length === 0) return '{}\n';
  return entries.map(({ key, value }) => `${JSON.stringify(key)}: ${quote(value)}\n`).join('');
}

function quote(value: string): string {
  // JSON lets these stand as they are; YAML counts some as line ends and forbids the others.
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
