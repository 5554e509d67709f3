export type ScanResult =
  /** The character belongs to the value, which goes on. */
  | 'inside'
  /** The character ends the value and belongs to it. */
  | 'end'
  /** The value ended before this character: only a number shows its end this way. */
  | 'ended-before'
  | 'invalid';

export interface JsonValueScanner {
  next(character: string): ScanResult;
}

const numberSoFar = /^-?(?:0|[1-9]\d*)?(?:(?<=\d)\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?$/;
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = ['true', 'false', 'null'];

/**
 * Follows one JSON value character by character and says where it ends, without keeping it. It checks the grammar of
 * JSON strictly, so that what it calls a value is one for every parser.
 */
export function createJsonValueScanner(): JsonValueScanner {
  type Expectation = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close';
  const closers: ('}' | ']')[] = [];
  let expecting: Expectation = 'value';
  let string: { readonly isKey: boolean; escape: number } | undefined;
  let word = '';

  function afterValue(): ScanResult {
    if (closers.length === 0) return 'end';
    expecting = 'comma-or-close';
    return 'inside';
  }

  function inString(character: string): ScanResult {
    if (!string) return 'invalid';
    if (string.escape === 1) {
      if (character === 'u') string.escape = 5;
      else if ('"\\/bfnrt'.includes(character)) string.escape = 0;
      else return 'invalid';
      return 'inside';
    }
    if (string.escape > 1) {
      if (!/[0-9a-fA-F]/.test(character)) return 'invalid';
      string.escape = string.escape === 2 ? 0 : string.escape - 1;
      return 'inside';
    }
    if (character === '\\') string.escape = 1;
    else if (character < ' ') return 'invalid';
    else if (character === '"') {
      const { isKey } = string;
      string = undefined;
      if (!isKey) return afterValue();
      expecting = 'colon';
    }
    return 'inside';
  }

  function inWord(character: string): ScanResult | undefined {
    const longer = word + character;
    const isNumber = /^[-\d]/.test(word);
    if (isNumber) {
      if (numberSoFar.test(longer)) {
        word = longer;
        return 'inside';
      }
      if (!wholeNumber.test(word)) return 'invalid';
      word = '';
      if (closers.length === 0) return 'ended-before';
      expecting = 'comma-or-close';
      return undefined;
    }
    if (!literals.some((literal) => literal.startsWith(longer))) return 'invalid';
    word = longer;
    if (!literals.includes(longer)) return 'inside';
    word = '';
    return afterValue();
  }

  function startValue(character: string): ScanResult {
    if (character === '"') string = { isKey: false, escape: 0 };
    else if (character === '{') {
      closers.push('}');
      expecting = 'key-or-close';
    } else if (character === '[') {
      closers.push(']');
      expecting = 'value-or-close';
    } else if (/[-\dtfn]/.test(character)) word = character;
    else return 'invalid';
    return 'inside';
  }

  function close(character: string): ScanResult {
    if (closers.pop() !== character) return 'invalid';
    return afterValue();
  }

  function next(character: string): ScanResult {
    if (string) return inString(character);
    if (word !== '') {
      const result = inWord(character);
      if (result) return result;
    }
    if (/[ \t\n\r]/.test(character)) return 'inside';
    switch (expecting) {
      case 'value':
        return startValue(character);
      case 'value-or-close':
        return character === ']' ? close(character) : startValue(character);
      case 'key':
      case 'key-or-close':
        if (character === '}' && expecting === 'key-or-close') return close(character);
        if (character !== '"') return 'invalid';
        string = { isKey: true, escape: 0 };
        return 'inside';
      case 'colon':
        if (character !== ':') return 'invalid';
        expecting = 'value';
        return 'inside';
      case 'comma-or-close':
        if (character !== ',') return close(character);
        expecting = closers.at(-1) === '}' ? 'key' : 'value';
        return 'inside';
      default:
        return expecting satisfies never;
    }
  }

  return { next };
}
