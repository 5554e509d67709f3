import type { JsonSchema } from '../../../generation/tool.js';
import { choice, type Expression, empty, repeat, sequence, text } from '../gbnf/expression.js';
import { accepts } from '../language/accepts.js';
import {
  type Automaton,
  automatonOfLength,
  automatonOfTexts,
  complementAutomaton,
  intersectAutomata,
} from '../language/automaton.js';
import { automatonRules, spellInJson } from '../language/automaton-rules.js';
import type { FlatSchema } from './flat-schema.js';
import { bothOf } from './merge-schemas.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { cannotEnforce, childPath, type SchemaPath } from './schema-problem.js';
import { patternAutomaton, stringAutomaton } from './string-expression.js';

interface Member {
  readonly expression: Expression;
  readonly required: boolean;
}

interface Patterned {
  readonly automaton: Automaton;
  readonly schema: JsonSchema;
}

/** The languages that property names must belong to. */
function nameLanguages(compiler: SchemaCompiler, schema: FlatSchema, path: SchemaPath): Automaton[] {
  return schema.propertyNames.flatMap((names) => {
    const flat = compiler.flatten(names, childPath(path, 'propertyNames'));
    if (flat === false) return [automatonOfTexts([])];
    if (flat.unions.length > 0)
      throw cannotEnforce('propertyNames', path, 'unions of names are not supported');
    if (flat.values) return [automatonOfTexts(flat.values.filter((value) => typeof value === 'string'))];
    const automaton = stringAutomaton(flat, childPath(path, 'propertyNames'));
    if (automaton) return [automaton];
    return flat.minLength > 0 || flat.maxLength !== undefined
      ? [automatonOfLength(flat.minLength, flat.maxLength)]
      : [];
  });
}

/** The declared properties in their order, then those that are only required. */
function declaredMembers(
  compiler: SchemaCompiler,
  schema: FlatSchema,
  patterned: readonly Patterned[],
  names: readonly Automaton[],
  path: SchemaPath,
): Member[] {
  const undeclared = [...schema.required].filter((name) => !schema.properties.has(name));
  return [...schema.properties.keys(), ...undeclared].map((name) => {
    const byPattern = patterned
      .filter(({ automaton }) => accepts(automaton, name))
      .map((entry) => entry.schema);
    const fallback = byPattern.length > 0 ? undefined : (schema.additionalProperties ?? !schema.closed);
    const own = schema.properties.get(name) ?? fallback;
    const all = byPattern.reduce((so: JsonSchema | undefined, next) => bothOf(so, next), own) ?? true;
    const fits = names.every((language) => accepts(language, name));
    const value = fits ? compiler.compile(all, childPath(path, 'properties', name)) : choice();
    return {
      expression: sequence(text(JSON.stringify(name)), compiler.json.colon, value),
      required: schema.required.has(name),
    };
  });
}

/** Members that are not declared by name: of `patternProperties`, and of `additionalProperties` where it asks for more. */
function extraMember(
  compiler: SchemaCompiler,
  schema: FlatSchema,
  patterned: readonly Patterned[],
  names: readonly Automaton[],
  path: SchemaPath,
): Expression | undefined {
  const { rules, json } = compiler;
  const isFree = schema.properties.size === 0 && patterned.length === 0 && !schema.closed;
  const additional = schema.additionalProperties ?? isFree;
  const declared = [...schema.properties.keys(), ...schema.required];
  const others = declared.length > 0 ? [complementAutomaton(automatonOfTexts(declared))] : [];
  const member = (languages: readonly Automaton[], value: Expression): Expression => {
    const all = [...languages, ...others, ...names];
    const [first, ...rest] = all;
    if (!first) return sequence(json.string, json.colon, value);
    const automaton = rest.reduce(intersectAutomata, first);
    const key = sequence(text('"'), automatonRules(rules, 'key', automaton, spellInJson), text('"'));
    return sequence(key, json.colon, value);
  };
  // A name that two patterns match would have to match two schemas; such names are left out.
  const options = patterned.map(({ automaton, schema: of }, index) => {
    const rest = patterned
      .filter((_, other) => other !== index)
      .map((other) => complementAutomaton(other.automaton));
    return member([automaton, ...rest], compiler.compile(of, childPath(path, 'patternProperties')));
  });
  if (additional !== false) {
    const value = compiler.compile(additional, childPath(path, 'additionalProperties'));
    options.push(
      member(
        patterned.map(({ automaton }) => complementAutomaton(automaton)),
        value,
      ),
    );
  }
  return options.length > 0 ? choice(...options) : undefined;
}

function refuseUncountable(schema: FlatSchema, declared: number, path: SchemaPath): void {
  // Two members of one name count once, so a least count can be kept only by names that are written at most once.
  if (schema.minProperties > Math.max(1, declared)) {
    throw cannotEnforce(
      'minProperties',
      path,
      'it is above the number of properties that are declared by name',
    );
  }
}

export function objectExpression(compiler: SchemaCompiler, schema: FlatSchema, path: SchemaPath): Expression {
  const { rules, json } = compiler;
  const patterned = [...schema.patternProperties].map(([pattern, of]) => ({
    automaton: patternAutomaton(pattern, 'patternProperties', path),
    schema: of,
  }));
  const names = nameLanguages(compiler, schema, path);
  const members = declaredMembers(compiler, schema, patterned, names, path);
  const extra = extraMember(compiler, schema, patterned, names, path);
  const { minProperties: min, maxProperties: max } = schema;
  if (extra) refuseUncountable(schema, members.length, path);
  // Counts beyond this need not be told apart.
  const cap = Math.max(1, min, max ?? 0);
  const known = new Map<string, Expression>();

  /** What may follow when the members from `index` on are still to come and `count` are written. */
  function from(index: number, count: number): Expression {
    const key = `${index},${count}`;
    const seen = known.get(key);
    if (seen) return seen;
    const made = rules.define('members', index < members.length ? declaredFrom(index, count) : end(count));
    known.set(key, made);
    return made;
  }

  function declaredFrom(index: number, count: number): Expression {
    const member = members[index];
    if (!member) return choice();
    const mayWrite = max === undefined || count < max;
    const written = sequence(
      ...(count > 0 ? [json.comma] : []),
      member.expression,
      mayWrite ? from(index + 1, Math.min(cap, count + 1)) : choice(),
    );
    if (member.required) return mayWrite ? written : choice();
    return mayWrite ? choice(written, from(index + 1, count)) : from(index + 1, count);
  }

  function end(count: number): Expression {
    const stop = count >= min ? (count > 0 ? json.space : empty) : choice();
    if (!extra || (max !== undefined && count >= max)) return stop;
    const next = sequence(json.comma, extra);
    const room = max === undefined ? undefined : max - count;
    if (count > 0)
      return count >= min ? sequence(rules.repeated('more', next, 0, room), json.space) : choice();
    const more = room === undefined ? repeat(next, 0) : rules.repeated('more', next, 0, room - 1);
    const some = min <= 1 ? sequence(extra, more, json.space) : choice();
    return choice(stop, some);
  }

  return sequence(text('{'), json.space, from(0, 0), text('}'));
}
