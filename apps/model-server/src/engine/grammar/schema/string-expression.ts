import { choice, type Expression, sequence, text } from '../gbnf/expression.js';
import {
  type Automaton,
  automatonOfLength,
  intersectAutomata,
  isEmptyLanguage,
} from '../language/automaton.js';
import { automatonRules, spellInJson } from '../language/automaton-rules.js';
import { automatonOfRegex } from '../language/regex-automaton.js';
import { RegexError } from '../language/regex-node.js';
import { stringFormat } from '../language/string-formats.js';
import type { FlatSchema } from './flat-schema.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { cannotEnforce, type SchemaPath } from './schema-problem.js';

function enforced<T>(keyword: string, path: SchemaPath, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RegexError) throw cannotEnforce(keyword, path, error.message);
    throw error;
  }
}

export function patternAutomaton(pattern: string, keyword: string, path: SchemaPath): Automaton {
  return enforced(keyword, path, () => automatonOfRegex(pattern));
}

function languages(schema: FlatSchema, path: SchemaPath): { keyword: string; automaton: Automaton }[] {
  const result = schema.patterns.map((pattern) => ({
    keyword: 'pattern',
    automaton: patternAutomaton(pattern, 'pattern', path),
  }));
  for (const name of schema.formats) {
    const format = stringFormat(name);
    if (format === 'refused') throw cannotEnforce('format', path, `the format "${name}" is not supported`);
    if (format !== 'annotation') {
      result.push({ keyword: 'format', automaton: patternAutomaton(format.regex, 'format', path) });
    }
  }
  return result;
}

/** The automaton of all strings a schema allows; `undefined` when only their length, or nothing, is asked. */
export function stringAutomaton(schema: FlatSchema, path: SchemaPath): Automaton | undefined {
  const [first, ...rest] = languages(schema, path);
  if (!first) return undefined;
  const whole = rest.reduce(
    (so, { keyword, automaton }) => enforced(keyword, path, () => intersectAutomata(so, automaton)),
    first.automaton,
  );
  const { minLength, maxLength } = schema;
  if (minLength === 0 && maxLength === undefined) return whole;
  return enforced(maxLength === undefined ? 'minLength' : 'maxLength', path, () =>
    intersectAutomata(whole, automatonOfLength(minLength, maxLength)),
  );
}

export function stringExpression(
  { rules, json }: SchemaCompiler,
  schema: FlatSchema,
  path: SchemaPath,
): Expression {
  const { minLength, maxLength } = schema;
  if (maxLength !== undefined && minLength > maxLength) return choice();
  const automaton = stringAutomaton(schema, path);
  if (automaton) {
    if (isEmptyLanguage(automaton)) return choice();
    return sequence(text('"'), automatonRules(rules, 'text', automaton, spellInJson), text('"'));
  }
  if (minLength === 0 && maxLength === undefined) return json.string;
  return sequence(text('"'), rules.repeated('characters', json.character, minLength, maxLength), text('"'));
}
