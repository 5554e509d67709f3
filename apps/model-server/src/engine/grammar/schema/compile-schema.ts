import { GenerationError } from '../../../generation/generation-error.js';
import type { JsonSchema } from '../../../generation/tool.js';
import { choice, type Expression } from '../gbnf/expression.js';
import type { GrammarRules } from '../gbnf/grammar-rules.js';
import { RegexError } from '../language/regex-node.js';
import { arrayExpression } from './array-expression.js';
import { anything, type FlatSchema, generatedTypes } from './flat-schema.js';
import { flattenSchema } from './flatten-schema.js';
import type { JsonRules } from './json-rules.js';
import { literalExpression } from './literal-expression.js';
import { mergeSchemas } from './merge-schemas.js';
import { neverMatches } from './never-matches.js';
import { integerExpression, numberExpression } from './number-expression.js';
import { objectExpression } from './object-expression.js';
import type { JsonType } from './read-keywords.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { cannotEnforce, childPath, type SchemaPath } from './schema-problem.js';
import { createReferenceResolver } from './schema-references.js';
import { stringExpression } from './string-expression.js';
import { valueMatches } from './value-matches.js';

// What one schema may cost, so that a hostile one ends in an error and not in a hang.
const maxSchemas = 5000;
const maxUnionDepth = 24;

function tooLarge(): GenerationError {
  return new GenerationError('unsupported', 'the JSON schema is too large, or refers to itself, without end');
}

const anyObject: FlatSchema = { ...anything, types: new Set(['object']) };

/** Adds the rules for a schema and returns the expression that matches its values as JSON text. */
export function compileSchema(
  root: JsonSchema,
  rules: GrammarRules,
  json: JsonRules,
  { onlyObjects = false } = {},
): Expression {
  const resolve = createReferenceResolver(root);
  const byObject = new WeakMap<object, Expression>();
  const byText = new Map<string, Expression>();
  let compiled = 0;

  const flatten = (schema: JsonSchema, path: SchemaPath): FlatSchema | false =>
    flattenSchema(schema, path, { resolve, checkOneOf });

  function checkOneOf(branches: readonly JsonSchema[], siblings: FlatSchema, path: SchemaPath): void {
    const flat = branches.map((branch, index) => {
      const own = flatten(branch, childPath(path, 'oneOf', index));
      return own === false ? false : mergeSchemas(siblings, own);
    });
    flat.forEach((generated, index) => {
      const others = flat.filter((_, other) => other !== index);
      if (!others.every((other) => neverMatches(generated, other, (schema) => flatten(schema, path)))) {
        throw cannotEnforce(
          'oneOf',
          path,
          'a value could match two of its schemas; use anyOf if that is allowed',
        );
      }
    });
  }

  function compile(schema: JsonSchema, path: SchemaPath): Expression {
    if (schema === true) return json.value;
    if (schema === false) return choice();
    const seen = byObject.get(schema) ?? byText.get(JSON.stringify(schema));
    if (seen) return seen;
    compiled += 1;
    if (compiled > maxSchemas) throw tooLarge();
    const rule = rules.reserve(path.split('/').at(-1) || 'schema');
    byObject.set(schema, rule.reference);
    byText.set(JSON.stringify(schema), rule.reference);
    const flat = flatten(schema, path);
    rule.fill(flat === false ? choice() : flatExpression(flat, path, 0));
    return rule.reference;
  }

  function flatExpression(schema: FlatSchema, path: SchemaPath, depth: number): Expression {
    const [union, ...unions] = schema.unions;
    if (union) {
      compiled += 1;
      if (depth > maxUnionDepth || compiled > maxSchemas) throw tooLarge();
      const rest = { ...schema, unions };
      const options = union.map((branch, index) => {
        const branchPath = childPath(path, 'anyOf', index);
        const flat = flatten(branch, branchPath);
        return flat === false ? choice() : flatExpression(mergeSchemas(rest, flat), branchPath, depth + 1);
      });
      return rules.define('union', choice(...options));
    }
    if (schema.values) {
      const others = { ...schema, values: undefined };
      const values = schema.values.filter((value) =>
        valueMatches(value, others, (part) => flatten(part, path)),
      );
      return choice(...values.map((value) => literalExpression(value, json)));
    }
    const types = generatedTypes(schema);
    if (!types) return json.value;
    return choice(...[...types].map((type) => typeExpression(type, schema, path)));
  }

  function typeExpression(type: JsonType, schema: FlatSchema, path: SchemaPath): Expression {
    switch (type) {
      case 'null':
        return json.null;
      case 'boolean':
        return json.boolean;
      case 'integer':
        return integerExpression(compiler, schema, path);
      case 'number':
        return numberExpression(compiler, schema, path);
      case 'string':
        return stringExpression(compiler, schema, path);
      case 'array':
        return arrayExpression(compiler, schema, path);
      case 'object':
        return objectExpression(compiler, schema, path);
      default:
        return type satisfies never;
    }
  }

  const compiler: SchemaCompiler = { rules, json, flatten, compile };
  try {
    if (!onlyObjects) return compile(root, '');
    const flat = flatten(root, '');
    return flat === false ? choice() : flatExpression(mergeSchemas(flat, anyObject), '', 0);
  } catch (error) {
    // Nested more deeply than the stack reaches.
    if (error instanceof RangeError) throw tooLarge();
    if (error instanceof RegexError) throw cannotEnforce('pattern', '', error.message);
    throw error;
  }
}
