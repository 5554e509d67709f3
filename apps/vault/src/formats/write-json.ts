import type { SecretEntry } from './secret-entry.js';

export function writeJson(entries: readonly SecretEntry[]): string {
  // Names such as __proto__ are allowed, and must not be lost in an ordinary object.
  const object: Record<string, string> = Object.create(null);
  for (const { key, value } of entries) object[key] = value;
  return `${JSON.stringify(object, null, 2)}\n`;
}
