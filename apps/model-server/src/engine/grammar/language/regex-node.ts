import type { CodePointSet } from './code-point-set.js';

/** A parsed regular expression. */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CodePointSet }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexNode;
      readonly min: number;
      readonly max: number | undefined;
    }
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' };

/** The expression has something that a regular language, or this parser, does not have. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
}
