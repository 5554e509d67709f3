import { GenerationError } from '../../../generation/generation-error.js';
import { choice, type Expression, repeat, rule, sequence } from './expression.js';
import { printExpression } from './print-expression.js';
import { pruneExpression } from './prune-expression.js';

/** A collection of named rules that becomes one grammar. */
export interface GrammarRules {
  /** Names an expression; the same expression gets the same name. */
  define(hint: string, expression: Expression): Expression;
  /** Names a rule before its body is known, so that it can be used inside itself. */
  reserve(hint: string): { readonly reference: Expression; fill(expression: Expression): void };
  /** A part so many times, however many: large counts are built from blocks. */
  repeated(hint: string, part: Expression, min: number, max: number | undefined): Expression;
  /** The whole grammar, only of what the root needs; `undefined` when no text of finite length matches it. */
  print(root: Expression): string | undefined;
}

// Bounds on what one request may cost: a grammar is kept in memory and walked for every token.
const maxRules = 20_000;
const maxCharacters = 2_000_000;
// llama.cpp writes a repetition out as rules, and refuses more than some thousands of them.
const blockSize = 64;
const maxRepetitions = 1_000_000;

export function createGrammarRules(): GrammarRules {
  const bodies = new Map<string, Expression | undefined>();
  const namesByText = new Map<string, string>();
  let written = 0;

  function tooLarge(): GenerationError {
    return new GenerationError('unsupported', 'the requested output format is too large to be enforced');
  }

  function freshName(hint: string): string {
    if (bodies.size >= maxRules) throw tooLarge();
    const base =
      hint
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40) || 'rule';
    return `${base}-${bodies.size}`;
  }

  function define(hint: string, expression: Expression): Expression {
    if (expression.kind === 'rule') return expression;
    const printed = printExpression(expression);
    const known = namesByText.get(printed);
    if (known) return rule(known);
    written += printed.length;
    if (written > maxCharacters) throw tooLarge();
    const name = freshName(hint);
    bodies.set(name, expression);
    namesByText.set(printed, name);
    return rule(name);
  }

  function reserve(hint: string) {
    const name = freshName(hint);
    bodies.set(name, undefined);
    return {
      reference: rule(name),
      fill(expression: Expression) {
        written += printExpression(expression).length;
        if (written > maxCharacters) throw tooLarge();
        bodies.set(name, expression);
      },
    };
  }

  function exactly(hint: string, part: Expression, count: number): Expression {
    if (count <= blockSize) return repeat(part, count, count);
    const block = define(hint, repeat(part, blockSize, blockSize));
    const rest = count % blockSize;
    const blocks = exactly(hint, block, Math.floor(count / blockSize));
    return rest === 0 ? blocks : sequence(blocks, repeat(part, rest, rest));
  }

  function upTo(hint: string, part: Expression, count: number): Expression {
    if (count <= blockSize) return repeat(part, 0, count);
    const block = define(hint, repeat(part, blockSize, blockSize));
    const blocks = Math.floor(count / blockSize);
    const whole = sequence(exactly(hint, block, blocks), repeat(part, 0, count % blockSize));
    return choice(sequence(upTo(hint, block, blocks - 1), repeat(part, 0, blockSize - 1)), whole);
  }

  function repeated(hint: string, part: Expression, min: number, max: number | undefined): Expression {
    if (min > maxRepetitions || (max ?? 0) > maxRepetitions) throw tooLarge();
    const item = min + (max ?? 0) > 2 ? define(hint, part) : part;
    if (max === undefined)
      return min <= 1 ? repeat(item, min) : sequence(exactly(hint, item, min), repeat(item, 0));
    if (max <= blockSize) return repeat(item, min, max);
    return sequence(...(min > 0 ? [exactly(hint, item, min)] : []), upTo(hint, item, max - min));
  }

  /** Rules that can be completed by a text of finite length, found from the leaves up. */
  function completable(): (name: string) => boolean {
    const done = new Set<string>();
    for (let grew = true; grew; ) {
      grew = false;
      for (const [name, body] of bodies) {
        if (done.has(name) || !body || !pruneExpression(body, (other) => done.has(other))) continue;
        done.add(name);
        grew = true;
      }
    }
    return (name) => done.has(name);
  }

  function print(root: Expression): string | undefined {
    const canEnd = completable();
    const lines: string[] = [];
    const seen = new Set<string>();
    const waiting: string[] = [];
    const add = (name: string, body: Expression): boolean => {
      const pruned = pruneExpression(body, canEnd);
      if (!pruned) return false;
      lines.push(`${name} ::= ${printExpression(pruned)}`);
      for (const used of ruleNames(pruned)) {
        if (!seen.has(used)) waiting.push(used);
        seen.add(used);
      }
      return true;
    };
    if (!add('root', root)) return undefined;
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const body = bodies.get(name);
      if (body) add(name, body);
    }
    return `${lines.join('\n')}\n`;
  }

  return { define, reserve, repeated, print };
}

function ruleNames(expression: Expression): string[] {
  switch (expression.kind) {
    case 'rule':
      return [expression.name];
    case 'sequence':
      return expression.parts.flatMap(ruleNames);
    case 'choice':
      return expression.options.flatMap(ruleNames);
    case 'repeat':
      return ruleNames(expression.part);
    default:
      return [];
  }
}
