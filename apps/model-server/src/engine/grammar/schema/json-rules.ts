import { characters, choice, type Expression, optional, repeat, sequence, text } from '../gbnf/expression.js';
import type { GrammarRules } from '../gbnf/grammar-rules.js';
import { charactersOf, codePointSet, complement } from '../language/code-point-set.js';

/** The parts every JSON grammar is made of. */
export interface JsonRules {
  readonly space: Expression;
  readonly colon: Expression;
  readonly comma: Expression;
  readonly character: Expression;
  readonly string: Expression;
  readonly integer: Expression;
  readonly number: Expression;
  readonly positiveNumber: Expression;
  readonly boolean: Expression;
  readonly null: Expression;
  readonly object: Expression;
  readonly value: Expression;
}

const digit = characters(codePointSet([[0x30, 0x39]]));
const firstDigit = characters(codePointSet([[0x31, 0x39]]));
const hexDigit = characters(charactersOf('0123456789abcdefABCDEF'));
const plainCharacter = characters(
  complement(
    codePointSet([
      [0, 0x1f],
      [0x22, 0x22],
      [0x5c, 0x5c],
    ]),
  ),
);

/**
 * One character of a string in any spelling. Halves of surrogate pairs come only as pairs, so that the count of
 * characters is the count that validators make.
 */
function stringCharacter(): Expression {
  const d = characters(charactersOf('dD'));
  const basic = choice(
    sequence(characters(charactersOf('0123456789abcefABCEF')), repeat(hexDigit, 3, 3)),
    sequence(d, characters(charactersOf('01234567')), repeat(hexDigit, 2, 2)),
  );
  const pair = sequence(
    d,
    characters(charactersOf('89abAB')),
    repeat(hexDigit, 2, 2),
    text('\\u'),
    d,
    characters(charactersOf('cdefCDEF')),
    repeat(hexDigit, 2, 2),
  );
  const escaped = choice(characters(charactersOf('"\\/bfnrt')), sequence(text('u'), choice(basic, pair)));
  return choice(plainCharacter, sequence(text('\\'), escaped));
}

export function createJsonRules(rules: GrammarRules): JsonRules {
  // Room for one line break with its indent and no more: free white space lets small models write it for ever.
  const indent = repeat(characters(charactersOf(' \t')), 0, 20);
  const space = rules.define('space', optional(choice(text(' '), sequence(text('\n'), indent))));
  const colon = rules.define('colon', sequence(text(':'), optional(text(' '))));
  const comma = rules.define('comma', sequence(text(','), space));
  const character = rules.define('character', stringCharacter());
  const string = rules.define('string', sequence(text('"'), repeat(character, 0), text('"')));
  // Integers fit into 64 bits, and no exponent leads to infinity.
  const natural = sequence(firstDigit, repeat(digit, 0, 17));
  const integer = rules.define('integer', choice(text('0'), sequence(optional(text('-')), natural)));
  const fraction = optional(sequence(text('.'), repeat(digit, 1, 16)));
  const exponent = optional(
    sequence(characters(charactersOf('eE')), optional(characters(charactersOf('+-'))), repeat(digit, 1, 2)),
  );
  const positiveNumber = rules.define(
    'positive-number',
    sequence(choice(text('0'), natural), fraction, exponent),
  );
  const number = rules.define('number', sequence(optional(text('-')), positiveNumber));
  const boolean = rules.define('boolean', choice(text('true'), text('false')));
  const nothing = rules.define('null', text('null'));

  const value = rules.reserve('value');
  const member = sequence(string, colon, value.reference);
  const object = rules.define(
    'object',
    sequence(
      text('{'),
      space,
      optional(sequence(member, repeat(sequence(comma, member), 0), space)),
      text('}'),
    ),
  );
  const items = sequence(value.reference, repeat(sequence(comma, value.reference), 0), space);
  const array = rules.define('array', sequence(text('['), space, optional(items), text(']')));
  value.fill(choice(object, array, string, number, boolean, nothing));

  return {
    space,
    colon,
    comma,
    character,
    string,
    integer,
    number,
    positiveNumber,
    boolean,
    null: nothing,
    object,
    value: value.reference,
  };
}
