import {
  anyCodePoint,
  type CodePointSet,
  charactersOf,
  codePointSet,
  complement,
  difference,
  union,
} from './code-point-set.js';
import { RegexError } from './regex-node.js';

const digits = codePointSet([[0x30, 0x39]]);
const word = codePointSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const space = charactersOf(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

/** What a dot matches: everything but the ends of lines. */
export const dot = difference(anyCodePoint, charactersOf('\n\r\u2028\u2029'));

const named: Readonly<Record<string, CodePointSet>> = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

const properties = new Map<string, CodePointSet>();

/** `\p{…}`: found by asking the runtime about every character once, because it alone has the tables. */
function propertySet(name: string, negated: boolean): CodePointSet {
  const known = properties.get(name);
  if (known) return negated ? complement(known) : known;
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${name}}$`, 'u');
  } catch {
    throw new RegexError(`unknown character property \\p{${name}}`);
  }
  const ranges: [number, number][] = [];
  for (const [from, to] of anyCodePoint) {
    for (let codePoint = from; codePoint <= to; codePoint += 1) {
      if (test.test(String.fromCodePoint(codePoint))) ranges.push([codePoint, codePoint]);
    }
  }
  const set = codePointSet(ranges);
  properties.set(name, set);
  return negated ? complement(set) : set;
}

export interface ReadEscape {
  readonly set: CodePointSet;
  readonly length: number;
}

function single(codePoint: number, length: number): ReadEscape {
  return { set: codePointSet([[codePoint, codePoint]]), length };
}

/** Reads the escape that begins at `at` (its backslash), outside or inside of a class. */
export function readEscape(source: string, at: number): ReadEscape {
  const rest = source.slice(at + 1, at + 60);
  const letter = rest[0];
  if (letter === undefined) throw new RegexError('a backslash at the end');
  const set = named[letter];
  if (set) return { set, length: 2 };
  const control = controls[letter];
  if (control !== undefined && !(letter === '0' && /^0\d/.test(rest))) return single(control, 2);
  const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/.exec(rest);
  if (code) return single(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16), code[0].length + 1);
  const control2 = /^c([A-Za-z])/.exec(rest)?.[1];
  if (control2) return single(control2.charCodeAt(0) % 32, 3);
  const property = /^([pP])\{([\w=]+)\}/.exec(rest);
  if (property)
    return { set: propertySet(property[2] ?? '', property[1] === 'P'), length: property[0].length + 1 };
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError(`\\${letter} is not supported`);
  const codePoint = rest.codePointAt(0) ?? 0;
  return single(codePoint, 1 + String.fromCodePoint(codePoint).length);
}

/** Reads the class that begins at `at` (its bracket). */
export function readClass(source: string, at: number): ReadEscape {
  let index = at + 1;
  const negated = source[index] === '^';
  if (negated) index += 1;
  const sets: CodePointSet[] = [];
  const readMember = (): { set: CodePointSet; codePoint: number | undefined } => {
    if (source[index] === '\\') {
      // Inside a class \b is the backspace, and a dash may be escaped.
      const isBackspace = source[index + 1] === 'b';
      const { set, length } = isBackspace ? single(8, 2) : readEscape(source, index);
      index += length;
      const only = set.length === 1 && set[0] && set[0][0] === set[0][1] ? set[0][0] : undefined;
      return { set, codePoint: only };
    }
    const codePoint = source.codePointAt(index) ?? 0;
    index += String.fromCodePoint(codePoint).length;
    return { set: codePointSet([[codePoint, codePoint]]), codePoint };
  };
  while (source[index] !== ']') {
    if (index >= source.length) throw new RegexError('a class that does not end');
    const first = readMember();
    const isRange = source[index] === '-' && source[index + 1] !== ']' && index + 1 < source.length;
    if (!isRange) {
      sets.push(first.set);
      continue;
    }
    index += 1;
    const last = readMember();
    if (first.codePoint === undefined || last.codePoint === undefined || first.codePoint > last.codePoint) {
      throw new RegexError('a class with a range that is none');
    }
    sets.push(codePointSet([[first.codePoint, last.codePoint]]));
  }
  const set = union(...sets);
  return { set: negated ? complement(set) : set, length: index + 1 - at };
}
