import { codePointSet } from './code-point-set.js';
import { dot, readClass, readEscape } from './regex-class.js';
import { RegexError, type RegexNode } from './regex-node.js';

const maxLength = 2000;
const maxDepth = 60;

/**
 * Parses the regular expressions of JSON Schema (ECMA 262 with Unicode): all that describes a regular language. Look
 * around, back references and word boundaries do not, and are refused by name.
 */
export function parseRegex(source: string): RegexNode {
  if (source.length > maxLength) throw new RegexError(`longer than ${maxLength} characters`);
  let at = 0;
  let depth = 0;

  function parseChoice(): RegexNode {
    const options = [parseSequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(parseSequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  function parseSequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(parseQuantified());
    return { kind: 'sequence', parts };
  }

  function parseQuantified(): RegexNode {
    const part = parseAtom();
    const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(source.slice(at, at + 30));
    if (!quantifier) return part;
    if (part.kind === 'anchor') throw new RegexError('a repeated anchor');
    at += quantifier[0].length;
    const symbol = quantifier[0][0];
    if (symbol === '*') return { kind: 'repeat', part, min: 0, max: undefined };
    if (symbol === '+') return { kind: 'repeat', part, min: 1, max: undefined };
    if (symbol === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    const min = Number(quantifier[1]);
    const max = quantifier[2] ? (quantifier[3] ? Number(quantifier[3]) : undefined) : min;
    if (max !== undefined && max < min) throw new RegexError(`the bounds of ${quantifier[0]}`);
    return { kind: 'repeat', part, min, max };
  }

  function parseAtom(): RegexNode {
    const character = source[at];
    switch (character) {
      case '(':
        return parseGroup();
      case '[': {
        const { set, length } = readClass(source, at);
        at += length;
        return { kind: 'set', set };
      }
      case '\\': {
        const { set, length } = readEscape(source, at);
        at += length;
        return { kind: 'set', set };
      }
      case '.':
        at += 1;
        return { kind: 'set', set: dot };
      case '^':
      case '$':
        at += 1;
        return { kind: 'anchor', at: character === '^' ? 'start' : 'end' };
      case '*':
      case '+':
      case '?':
        throw new RegexError(`nothing to repeat before ${character}`);
      default: {
        const codePoint = source.codePointAt(at) ?? 0;
        at += String.fromCodePoint(codePoint).length;
        return { kind: 'set', set: codePointSet([[codePoint, codePoint]]) };
      }
    }
  }

  function parseGroup(): RegexNode {
    const opening = /^\((?:\?(?::|<[A-Za-z_$][\w$]*>))?/.exec(source.slice(at, at + 100))?.[0] ?? '(';
    if (opening === '(' && source[at + 1] === '?')
      throw new RegexError(`${source.slice(at, at + 3)} is not supported`);
    at += opening.length;
    depth += 1;
    if (depth > maxDepth) throw new RegexError('groups nested too deeply');
    const inner = parseChoice();
    depth -= 1;
    if (source[at] !== ')') throw new RegexError('a group that does not end');
    at += 1;
    return inner;
  }

  const node = parseChoice();
  if (at < source.length) throw new RegexError(`an unexpected ${source[at]}`);
  return node;
}
