import type { CodePointSet } from '../language/code-point-set.js';

/** The right-hand side of a grammar rule. */
export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'characters'; readonly set: CodePointSet }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  | {
      readonly kind: 'repeat';
      readonly part: Expression;
      readonly min: number;
      readonly max: number | undefined;
    };

export const empty: Expression = { kind: 'sequence', parts: [] };

export function text(value: string): Expression {
  return value === '' ? empty : { kind: 'text', text: value };
}

export function characters(set: CodePointSet): Expression {
  return { kind: 'characters', set };
}

export function rule(name: string): Expression {
  return { kind: 'rule', name };
}

export function sequence(...parts: readonly Expression[]): Expression {
  const flat = parts.flatMap((part) => (part.kind === 'sequence' ? part.parts : [part]));
  const [only] = flat;
  return flat.length === 1 && only ? only : { kind: 'sequence', parts: flat };
}

/** One of several; no options at all is an expression that nothing matches. */
export function choice(...options: readonly Expression[]): Expression {
  const flat = options.flatMap((option) => (option.kind === 'choice' ? option.options : [option]));
  const [only] = flat;
  return flat.length === 1 && only ? only : { kind: 'choice', options: flat };
}

export function optional(part: Expression): Expression {
  return { kind: 'repeat', part, min: 0, max: 1 };
}

/** As the engine's own repetition: for small bounds. `repeated` of the rules handles large ones. */
export function repeat(part: Expression, min: number, max?: number): Expression {
  if (max === 0) return empty;
  return min === 1 && max === 1 ? part : { kind: 'repeat', part, min, max };
}
