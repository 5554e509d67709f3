import { type SecretEntry, UnwritableValuesError } from './secret-entry.js';

/**
 * Writes a .env file that the dotenv library reads back exactly. dotenv has no escape for quotes, so the kind of
 * quote depends on the value, and a few values (all three kinds of quote and a line end, say) cannot be written.
 */
export function writeDotenv(entries: readonly SecretEntry[]): string {
  const unwritable: string[] = [];
  const lines = entries.map(({ key, value }) => {
    const written = writeValue(value);
    if (written === undefined) unwritable.push(key);
    return `${key}=${written}\n`;
  });
  if (unwritable.length > 0) throw new UnwritableValuesError('dotenv', unwritable);
  return lines.join('');
}

function writeValue(value: string): string | undefined {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) return value;
  // dotenv turns a bare carriage return into a line end, and takes a quote after a backslash for part of the value.
  const quotable = !value.includes('\r') && !value.endsWith('\\');
  if (quotable && !value.includes("'")) return `'${value}'`;
  if (quotable && !value.includes('`')) return `\`${value}\``;
  // Inside double quotes \n and \r are line ends, so a value that spells them out cannot stand there.
  if (!value.includes('"') && !/\\[nr]/.test(value) && !value.endsWith('\\')) {
    return `"${value.replace(/\n/g, '\\n').replace(/\r/g, '\\r')}"`;
  }
  const plain = !/[#\r\n]/.test(value) && value === value.trim() && !/^['"`]/.test(value);
  return plain ? value : undefined;
}
