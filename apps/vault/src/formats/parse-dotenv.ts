import {
  keyPattern,
  keyRule,
  type LineProblem,
  type ParsedEntries,
  type ParsedEntry,
} from './secret-entry.js';

const assignment = /^\s*(?:export\s+)?([^\s=:#'"`]+)(?:\s*=|:\s)\s*/;
const restOfLine = /^\s*(?:#.*)?$/;
const quotes = new Set(["'", '"', '`']);

/**
 * Reads a .env file by the rules of the dotenv library, in one pass and with line numbers. Where dotenv skips what
 * it cannot read (a line without `=`, a quote that is never closed), this says so: a secret must not get lost on
 * the way in.
 */
export function parseDotenv(text: string): ParsedEntries {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const entries = new Map<string, ParsedEntry>();
  const problems: LineProblem[] = [];
  const warnings: LineProblem[] = [];
  const reader = new QuoteReader(source);
  let position = 0;
  let line = 1;

  while (position < source.length) {
    const lineEnd = endOfLine(source, position);
    const current = source.slice(position, lineEnd);
    let next = lineEnd;
    if (!restOfLine.test(current)) {
      const match = assignment.exec(current);
      const key = match?.[1];
      if (match === null || key === undefined) problems.push({ line, reason: 'is not NAME=value' });
      else if (!keyPattern.test(key)) problems.push({ line, reason: `the name ${keyRule}` });
      else {
        const value = readValue(source, position + match[0].length, lineEnd, reader);
        if (value === undefined) problems.push({ line, reason: 'opens a quote that is never closed' });
        else {
          next = value.end;
          if (entries.has(key))
            warnings.push({ line, reason: `${key} was already given above; this line counts` });
          entries.set(key, { key, value: value.text, line });
        }
      }
    }
    line += countLines(source, position, next) + 1;
    position = next + 1;
  }
  return { entries: [...entries.values()], problems, warnings };
}

interface ReadValue {
  readonly text: string;
  /** The end of the line on which the value ends. */
  readonly end: number;
}

function readValue(
  source: string,
  start: number,
  lineEnd: number,
  reader: QuoteReader,
): ReadValue | undefined {
  const quote = source.charAt(start);
  if (!quotes.has(quote)) return { text: unquoted(source.slice(start, lineEnd)), end: lineEnd };
  const candidates = reader.closingQuotes(quote, start + 1);
  for (const close of candidates) {
    const end = endOfLine(source, close);
    if (restOfLine.test(source.slice(close + 1, end))) {
      return { text: expand(quote, source.slice(start + 1, close)), end };
    }
  }
  // Something follows the quote. dotenv then reads the line as it stands and takes off a pair of outer quotes:
  // "it"s" is it"s.
  if (!candidates.some((close) => close < lineEnd)) return undefined;
  const rest = unquoted(source.slice(start, lineEnd));
  const inner = rest.length > 1 && rest.endsWith(quote) ? rest.slice(1, -1) : rest;
  return { text: expand(quote, inner), end: lineEnd };
}

/**
 * Finds where a quoted value can end, best first: at the next quote without a backslash before it, else at one with.
 * One pass over the text in all: between two openings lies a quote without a backslash, and the search stops there.
 */
class QuoteReader {
  private readonly exhausted = new Set<string>();

  constructor(private readonly source: string) {}

  closingQuotes(quote: string, from: number): readonly number[] {
    if (this.exhausted.has(quote)) return [];
    const escaped: number[] = [];
    for (let at = this.source.indexOf(quote, from); at !== -1; at = this.source.indexOf(quote, at + 1)) {
      if (this.source.charAt(at - 1) !== '\\') return [at, ...escaped.reverse()];
      escaped.push(at);
    }
    if (escaped.length === 0) this.exhausted.add(quote);
    return escaped.reverse();
  }
}

function unquoted(text: string): string {
  const comment = text.indexOf('#');
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}

function expand(quote: string, text: string): string {
  return quote === '"' ? text.replace(/\\n/g, '\n').replace(/\\r/g, '\r') : text;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

function countLines(source: string, from: number, to: number): number {
  let count = 0;
  for (let at = source.indexOf('\n', from); at !== -1 && at < to; at = source.indexOf('\n', at + 1))
    count += 1;
  return count;
}
