import { characters, choice, type Expression, empty, sequence } from './gbnf/expression.js';
import type { GrammarRules } from './gbnf/grammar-rules.js';
import { charactersOf, complement } from './language/code-point-set.js';

/** After `matched` characters of the mark and one more, how many characters of the mark are matched. */
function matchedAfter(mark: readonly string[], matched: number, character: string): number {
  const seen = [...mark.slice(0, matched), character];
  for (let length = Math.min(seen.length, mark.length); length > 0; length -= 1) {
    if (mark.slice(0, length).every((part, index) => part === seen[seen.length - length + index]))
      return length;
  }
  return 0;
}

export interface FreeTextOptions {
  /** What must follow once the mark is written; without it the mark cannot be written at all. */
  readonly afterMark?: Expression;
  /** Whether the text may end without the mark. */
  readonly mayEnd: boolean;
}

/**
 * Any text up to the first occurrence of a mark. One rule for each number of characters of the mark that the text may
 * just have begun, so that it is clear at every character what may follow.
 */
export function freeText(rules: GrammarRules, markText: string, options: FreeTextOptions): Expression {
  const mark = [...markText];
  const alphabet = [...new Set(mark)];
  const others = complement(charactersOf(alphabet.join('')));
  const states = mark.map(() => rules.reserve('free-text'));
  const reference = (matched: number): Expression =>
    matched === mark.length ? (options.afterMark ?? choice()) : (states[matched]?.reference ?? choice());
  states.forEach((state, matched) => {
    const moves = alphabet.map((character) =>
      sequence(characters(charactersOf(character)), reference(matchedAfter(mark, matched, character))),
    );
    const elsewhere = sequence(characters(others), reference(0));
    state.fill(choice(...moves, elsewhere, ...(options.mayEnd ? [empty] : [])));
  });
  return reference(0);
}
