import { characters, choice, type Expression, empty, sequence, text } from '../gbnf/expression.js';
import type { GrammarRules } from '../gbnf/grammar-rules.js';
import type { Automaton } from './automaton.js';
import {
  type CodePointSet,
  charactersOf,
  codePointSet,
  contains,
  difference,
  intersection,
} from './code-point-set.js';
import { minimizeAutomaton } from './minimize-automaton.js';

const mustBeEscaped = codePointSet([
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);
const shortEscapes: readonly (readonly [character: string, letter: string])[] = [
  ['"', '"'],
  ['\\', '\\'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
];
const longEscaped = difference(codePointSet([[0, 0x1f]]), charactersOf('\b\f\n\r\t'));

/** Each character of the set as it stands in the text. */
export function spellPlain(set: CodePointSet): Expression {
  return characters(set);
}

/** Each character of the set as it stands inside a JSON string, one spelling each, so that no two texts are equal. */
export function spellInJson(set: CodePointSet): Expression {
  const options: Expression[] = [];
  const plain = difference(set, mustBeEscaped);
  if (plain.length > 0) options.push(characters(plain));
  const letters = shortEscapes.filter(([character]) => contains(set, character.charCodeAt(0)));
  if (letters.length > 0) {
    options.push(
      sequence(text('\\'), characters(charactersOf(letters.map(([, letter]) => letter).join('')))),
    );
  }
  for (const [from, to] of intersection(set, longEscaped)) {
    for (let code = from; code <= to; code += 1)
      options.push(text(`\\u${code.toString(16).padStart(4, '0')}`));
  }
  return choice(...options);
}

/** An automaton as rules, one a state: never ambiguous and never left recursive, whatever it came from. */
export function automatonRules(
  rules: GrammarRules,
  hint: string,
  automaton: Automaton,
  spell: (set: CodePointSet) => Expression,
): Expression {
  const { accepting, transitions } = minimizeAutomaton(automaton);
  const states = accepting.map(() => rules.reserve(hint));
  const isEnd = (state: number) => accepting[state] === true && transitions[state]?.length === 0;
  states.forEach((state, number) => {
    const options = (transitions[number] ?? []).map(({ set, to }) => {
      const next = states[to];
      return next && !isEnd(to) ? sequence(spell(set), next.reference) : spell(set);
    });
    state.fill(choice(...options, ...(accepting[number] ? [empty] : [])));
  });
  return states[0]?.reference ?? choice();
}
