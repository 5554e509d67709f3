import {
  keyPattern,
  keyRule,
  type LineProblem,
  type ParsedEntries,
  type ParsedEntry,
} from './secret-entry.js';

/**
 * Reads secrets from a flat JSON object. Numbers and booleans become their text, as an environment would hold them;
 * anything nested is a problem, because no environment can hold it. There are no lines, so an entry's number is its
 * place in the object.
 */
export function parseJsonEntries(object: Readonly<Record<string, unknown>>): ParsedEntries {
  const entries: ParsedEntry[] = [];
  const problems: LineProblem[] = [];
  for (const [index, [key, value]] of Object.entries(object).entries()) {
    const line = index + 1;
    if (!keyPattern.test(key)) problems.push({ line, reason: `the name ${keyRule}` });
    else if (typeof value === 'string') entries.push({ key, value, line });
    else if (typeof value === 'number' || typeof value === 'boolean') {
      entries.push({ key, value: String(value), line });
    } else problems.push({ line, reason: `${key} must be text, a number or a boolean` });
  }
  return { entries, problems, warnings: [] };
}
