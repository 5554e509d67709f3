import { GenerationError } from '../../../generation/generation-error.js';
import type { JsonSchema } from '../../../generation/tool.js';
import { anything, type Bound, type FlatSchema } from './flat-schema.js';
import { mergeSchemas } from './merge-schemas.js';
import {
  isObject,
  readCount,
  readNumber,
  readSchema,
  readSchemaList,
  readSchemaMap,
  readText,
  readTextList,
  readTypes,
  type SchemaObject,
} from './read-keywords.js';
import { cannotEnforce, childPath, invalidKeyword, type SchemaPath } from './schema-problem.js';
import type { ResolveReference } from './schema-references.js';

export interface FlattenContext {
  readonly resolve: ResolveReference;
  /** Refuses a `oneOf` whose branches a value could match together. */
  readonly checkOneOf: (branches: readonly JsonSchema[], siblings: FlatSchema, path: SchemaPath) => void;
}

// Keywords whose meaning depends on other values, or on what is absent: no grammar follows them.
const refused: Readonly<Record<string, string>> = {
  if: 'conditions are not supported; use anyOf',
  dependentRequired: 'dependencies between properties are not supported; use anyOf',
  dependentSchemas: 'dependencies between properties are not supported; use anyOf',
  dependencies: 'dependencies between properties are not supported; use anyOf',
  contains: 'which item would have to match is not known while the list is written',
  $dynamicRef: 'dynamic references are not supported; use $ref',
  $recursiveRef: 'recursive references are not supported; use $ref',
};

function isTrivial(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function refuseUnsupported(schema: SchemaObject, path: SchemaPath): void {
  for (const [keyword, why] of Object.entries(refused)) {
    if (schema[keyword] === undefined) continue;
    if (keyword === 'if' && schema['then'] === undefined && schema['else'] === undefined) continue;
    if (keyword === 'contains' && schema['minContains'] === 0 && schema['maxContains'] === undefined)
      continue;
    throw cannotEnforce(keyword, path, why);
  }
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems']) {
    const value = schema[keyword];
    if (value !== undefined && value !== false && !isTrivial(value)) {
      throw cannotEnforce(keyword, path, 'only true and false are supported');
    }
  }
  const not = schema['not'];
  if (not !== undefined && not !== false && !isTrivial(not)) {
    throw cannotEnforce('not', path, 'what a value must not be cannot be turned into what it may be');
  }
}

function lowerBound(
  schema: SchemaObject,
  path: SchemaPath,
  inclusive: string,
  exclusive: string,
  isTighter: (a: number, b: number) => boolean,
): Bound | undefined {
  const bound = readNumber(schema, inclusive, path);
  // Draft 4: a boolean that makes the other keyword exclusive.
  const flag = schema[exclusive];
  if (typeof flag === 'boolean') return bound === undefined ? undefined : { value: bound, exclusive: flag };
  const strict = readNumber(schema, exclusive, path);
  if (strict === undefined) return bound === undefined ? undefined : { value: bound, exclusive: false };
  return bound === undefined || !isTighter(bound, strict)
    ? { value: strict, exclusive: true }
    : { value: bound, exclusive: false };
}

function readValues(schema: SchemaObject, path: SchemaPath): readonly unknown[] | undefined {
  const list = schema['enum'];
  if (list !== undefined && !Array.isArray(list)) throw invalidKeyword('enum', path, 'a list of values');
  if (!Object.hasOwn(schema, 'const')) return list;
  const only = JSON.stringify(schema['const']);
  return list && !list.some((value) => JSON.stringify(value) === only) ? [] : [schema['const']];
}

function readItems(schema: SchemaObject, path: SchemaPath): Pick<FlatSchema, 'prefixItems' | 'items'> {
  // Until draft 2019-09 a list under `items` was what `prefixItems` is now, and `additionalItems` what `items` is.
  if (Array.isArray(schema['items'])) {
    return {
      prefixItems: readSchemaList(schema, 'items', path) ?? [],
      items: readSchema(schema, 'additionalItems', path),
    };
  }
  return {
    prefixItems: readSchemaList(schema, 'prefixItems', path) ?? [],
    items: readSchema(schema, 'items', path),
  };
}

/** An empty list of properties is how a tool without parameters is declared: it means none, not any. */
function isClosed(schema: SchemaObject): boolean {
  const { properties } = schema;
  const declaresNone =
    isObject(properties) &&
    Object.keys(properties).length === 0 &&
    schema['additionalProperties'] === undefined &&
    schema['patternProperties'] === undefined;
  return declaresNone || schema['unevaluatedProperties'] === false || schema['unevaluatedItems'] === false;
}

function readOwnKeywords(schema: SchemaObject, path: SchemaPath): FlatSchema {
  refuseUnsupported(schema, path);
  const multipleOf = readNumber(schema, 'multipleOf', path);
  if (multipleOf !== undefined && multipleOf <= 0)
    throw invalidKeyword('multipleOf', path, 'a number above 0');
  const pattern = readText(schema, 'pattern', path);
  const format = readText(schema, 'format', path);
  const names = readSchema(schema, 'propertyNames', path);
  const anyOf = readSchemaList(schema, 'anyOf', path);
  return {
    types: readTypes(schema, path),
    values: isTrivial(schema['not']) ? [] : readValues(schema, path),
    properties: readSchemaMap(schema, 'properties', path),
    patternProperties: readSchemaMap(schema, 'patternProperties', path),
    additionalProperties: readSchema(schema, 'additionalProperties', path),
    propertyNames: names === undefined ? [] : [names],
    required: new Set(readTextList(schema, 'required', path)),
    minProperties: readCount(schema, 'minProperties', path) ?? 0,
    maxProperties: readCount(schema, 'maxProperties', path),
    ...readItems(schema, path),
    minItems: readCount(schema, 'minItems', path) ?? 0,
    maxItems: readCount(schema, 'maxItems', path),
    uniqueItems: schema['uniqueItems'] === true,
    closed: isClosed(schema),
    minLength: readCount(schema, 'minLength', path) ?? 0,
    maxLength: readCount(schema, 'maxLength', path),
    patterns: pattern === undefined ? [] : [pattern],
    formats: format === undefined ? [] : [format],
    min: lowerBound(schema, path, 'minimum', 'exclusiveMinimum', (a, b) => a > b),
    max: lowerBound(schema, path, 'maximum', 'exclusiveMaximum', (a, b) => a < b),
    multiplesOf: multipleOf === undefined ? [] : [multipleOf],
    unions: anyOf ? [anyOf] : [],
  };
}

/** Follows references and merges `allOf`; `false` for a schema that nothing matches. */
export function flattenSchema(
  schema: JsonSchema,
  path: SchemaPath,
  context: FlattenContext,
  followed: ReadonlySet<string> = new Set(),
): FlatSchema | false {
  if (typeof schema === 'boolean') return schema ? anything : false;
  let flat = readOwnKeywords(schema, path);

  const reference = readText(schema, '$ref', path);
  const more: {
    readonly schema: JsonSchema;
    readonly path: SchemaPath;
    readonly followed: ReadonlySet<string>;
  }[] = [];
  if (reference !== undefined) {
    if (followed.has(reference)) {
      throw new GenerationError(
        'invalid-request',
        `the JSON schema reference ${JSON.stringify(reference)} leads only to itself`,
        {
          facts: { keyword: '$ref', path },
        },
      );
    }
    more.push({
      schema: context.resolve(reference, path),
      path: reference.startsWith('#') ? reference.slice(1) : reference,
      followed: new Set([...followed, reference]),
    });
  }
  readSchemaList(schema, 'allOf', path)?.forEach((part, index) => {
    more.push({ schema: part, path: childPath(path, 'allOf', index), followed });
  });
  for (const part of more) {
    const other = flattenSchema(part.schema, part.path, context, part.followed);
    if (other === false) return false;
    flat = mergeSchemas(flat, other);
  }

  const oneOf = readSchemaList(schema, 'oneOf', path);
  if (!oneOf) return flat;
  context.checkOneOf(oneOf, flat, path);
  return { ...flat, unions: [...flat.unions, oneOf] };
}
