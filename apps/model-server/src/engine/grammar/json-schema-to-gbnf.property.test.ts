import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { askLlama } from '../../../test/engine/ask-llama.js';
import { createGbnfSampler, gbnfAccepts, parseGbnf } from '../../../test/engine/gbnf.js';
import { schemaCase } from '../../../test/engine/schema-arbitrary.js';
import { createValidator } from '../../../test/engine/validate-schema.js';
import { jsonSchemaToGbnf } from './json-schema-to-gbnf.js';

jest.setTimeout(120_000);

/** The same cases each time: a weakness of the reference validator must not fail somebody else's change. */
const caseSeed = 7;

/** Numbers from 0 up to 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** With a space after colons and commas, as Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return `{${members.join(', ')}}`;
}

/** The value as models write it: compact, with spaces, over several lines. */
function spellings(value: unknown): string[] {
  return [JSON.stringify(value), spaced(value), JSON.stringify(value, null, 2)];
}

test('every value that matches a schema is accepted, in each usual spelling', () => {
  fc.assert(
    fc.property(schemaCase, ({ schema, value }) => {
      expect(createValidator(schema)(JSON.stringify(value))).toBe(true);
      const grammar = parseGbnf(jsonSchemaToGbnf(schema));
      for (const text of spellings(value)) {
        if (!gbnfAccepts(grammar, text)) throw new Error(`${JSON.stringify(schema)} refuses ${text}`);
      }
    }),
    { numRuns: 120, seed: caseSeed },
  );
});

test('every text made from the grammar matches the schema', () => {
  fc.assert(
    fc.property(schemaCase, fc.nat(), ({ schema }, seed) => {
      const grammar = parseGbnf(jsonSchemaToGbnf(schema));
      const validate = createValidator(schema);
      const sample = createGbnfSampler(grammar, seededRandom(seed));
      for (let count = 0; count < 8; count += 1) {
        const text = sample();
        if (!validate(text)) throw new Error(`${JSON.stringify(schema)} allows ${text}`);
      }
    }),
    { numRuns: 120, seed: caseSeed },
  );
});

test('a text spoilt at random is refused unless it still matches', () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('', '"', '}', ']', ',', '0', '-', '9', '.', 'a', '\\', ' ', 'null', '{'),
    fc.boolean(),
  );
  fc.assert(
    fc.property(
      schemaCase,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      ({ schema, value }, changes) => {
        const grammar = parseGbnf(jsonSchemaToGbnf(schema));
        let text = JSON.stringify(value);
        for (const [place, insert, removes] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + insert + text.slice(at + (removes ? 1 : 0));
        }
        if (gbnfAccepts(grammar, text) && !createValidator(schema)(text)) {
          throw new Error(`${JSON.stringify(schema)} allows ${text}`);
        }
      },
    ),
    { numRuns: 120, seed: caseSeed },
  );
});

test('llama.cpp takes every grammar and agrees on what it accepts', async () => {
  const cases = fc.sample(schemaCase, { numRuns: 60, seed: caseSeed });
  const questions = cases.map(({ schema, value }, index) => {
    const gbnf = jsonSchemaToGbnf(schema);
    const grammar = parseGbnf(gbnf);
    const made = Array.from({ length: 3 }, createGbnfSampler(grammar, seededRandom(index)));
    const text = JSON.stringify(value);
    const texts = [text, `${text} `, text.slice(0, -1), text.slice(1), ...made];
    return { gbnf, texts, expected: texts.map((candidate) => gbnfAccepts(grammar, candidate)) };
  });
  const answers = await askLlama(questions);
  expect(answers).toHaveLength(questions.length);
  answers.forEach((answer, index) => {
    const { gbnf, texts, expected } = questions[index] ?? { gbnf: '', texts: [], expected: [] };
    expect({ gbnf, texts, ...answer }).toEqual({ gbnf, texts, accepted: expected });
  });
}, 120_000);
