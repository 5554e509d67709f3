import type { CodePointSet } from '../language/code-point-set.js';
import type { Expression } from './expression.js';

function hex(codePoint: number): string {
  if (codePoint <= 0xff) return `\\x${codePoint.toString(16).toUpperCase().padStart(2, '0')}`;
  if (codePoint <= 0xffff) return `\\u${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  return `\\U${codePoint.toString(16).toUpperCase().padStart(8, '0')}`;
}

function printText(value: string): string {
  let printed = '';
  for (const character of value) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') printed += `\\${character}`;
    else if (character === '\n') printed += '\\n';
    else printed += codePoint >= 0x20 && codePoint < 0x7f ? character : hex(codePoint);
  }
  return `"${printed}"`;
}

/** Letters and digits as they are, all else as a code: only those never mean something inside brackets. */
function printMember(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /[A-Za-z0-9]/.test(character) ? character : hex(codePoint);
}

function printSet(set: CodePointSet): string {
  const members = set.map(([from, to]) => {
    if (from === to) return printMember(from);
    return `${printMember(from)}-${printMember(to)}`;
  });
  return `[${members.join('')}]`;
}

function printBounds(min: number, max: number | undefined): string {
  if (min === 0 && max === undefined) return '*';
  if (min === 1 && max === undefined) return '+';
  if (min === 0 && max === 1) return '?';
  if (max === undefined) return `{${min},}`;
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** An expression in the notation of the grammar engine (GBNF). */
export function printExpression(expression: Expression, nested = false): string {
  switch (expression.kind) {
    case 'text':
      return printText(expression.text);
    case 'characters':
      return printSet(expression.set);
    case 'rule':
      return expression.name;
    case 'sequence': {
      if (expression.parts.length === 0) return '""';
      const printed = expression.parts.map((part) => printExpression(part, true)).join(' ');
      return nested ? `(${printed})` : printed;
    }
    case 'choice': {
      const printed = expression.options
        .map((option) => printExpression(option, option.kind === 'choice'))
        .join(' | ');
      return nested ? `(${printed})` : printed;
    }
    case 'repeat':
      return `${printExpression(expression.part, true)}${printBounds(expression.min, expression.max)}`;
    default:
      return expression satisfies never;
  }
}
