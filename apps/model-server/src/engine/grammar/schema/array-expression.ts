import { choice, type Expression, empty, optional, sequence, text } from '../gbnf/expression.js';
import type { FlatSchema } from './flat-schema.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { cannotEnforce, childPath, type SchemaPath } from './schema-problem.js';

/**
 * The most items to generate. Items that a schema does not speak of are allowed by JSON Schema; after a fixed list of
 * items nobody means them, so they are written only where the least count asks for them.
 */
function mostItems(schema: FlatSchema): number | undefined {
  const declared = schema.prefixItems.length;
  const noMore = schema.items === false || (schema.items === undefined && (declared > 0 || schema.closed));
  const open =
    noMore && schema.items !== false && !schema.closed ? Math.max(declared, schema.minItems) : declared;
  return noMore ? Math.min(open, schema.maxItems ?? open) : schema.maxItems;
}

export function arrayExpression(compiler: SchemaCompiler, schema: FlatSchema, path: SchemaPath): Expression {
  const { rules, json } = compiler;
  const min = schema.minItems;
  const max = mostItems(schema);
  if (max !== undefined && min > max) return choice();
  if (schema.uniqueItems && (max ?? 2) > 1) {
    throw cannotEnforce('uniqueItems', path, 'which items were written before is not known to a grammar');
  }
  const prefix = schema.prefixItems.map((item, index) =>
    compiler.compile(item, childPath(path, 'prefixItems', index)),
  );
  const item =
    schema.items === undefined ? json.value : compiler.compile(schema.items, childPath(path, 'items'));

  /** The items from an index on, each after a comma. */
  function following(index: number): Expression {
    if (max !== undefined && index >= max) return empty;
    const fixed = prefix[index];
    if (!fixed) {
      const rest = max === undefined ? undefined : max - index;
      return rules.repeated('items', sequence(json.comma, item), Math.max(0, min - index), rest);
    }
    const part = sequence(json.comma, fixed, following(index + 1));
    return index < min ? part : optional(part);
  }

  if (max === 0) return text('[]');
  const some = sequence(text('['), json.space, prefix[0] ?? item, following(1), json.space, text(']'));
  return min > 0 ? some : choice(text('[]'), some);
}
