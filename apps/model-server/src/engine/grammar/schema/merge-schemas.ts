import type { JsonSchema } from '../../../generation/tool.js';
import { patternMatches } from '../language/accepts.js';
import type { Bound, FlatSchema } from './flat-schema.js';
import type { JsonType } from './read-keywords.js';

/** Both of two schemas for one part, kept as a schema and merged only when that part is reached. */
export function bothOf(a: JsonSchema | undefined, b: JsonSchema | undefined): JsonSchema | undefined {
  if (a === undefined || a === true) return b ?? a;
  if (b === undefined || b === true) return a;
  if (a === false || b === false) return false;
  // Flat and without doubles, so that merging the same schemas again and again comes to an end.
  const all = [...partsOf(a), ...partsOf(b)];
  const distinct = [...new Map(all.map((part) => [JSON.stringify(part), part])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { allOf: distinct };
}

function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  if (typeof schema === 'boolean' || Object.keys(schema).join() !== 'allOf') return [schema];
  return Array.isArray(schema['allOf']) ? schema['allOf'] : [schema];
}

export function commonTypes(
  a: ReadonlySet<JsonType> | undefined,
  b: ReadonlySet<JsonType> | undefined,
): ReadonlySet<JsonType> | undefined {
  if (!a || !b) return a ?? b;
  const common = new Set<JsonType>();
  for (const type of a) {
    if (b.has(type)) common.add(type);
    else if (type === 'number' && b.has('integer')) common.add('integer');
    else if (type === 'integer' && b.has('number')) common.add('integer');
  }
  return common;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = Object.entries(a);
  const right = new Map<string, unknown>(Object.entries(b));
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)))
  );
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : Math.min(a, b ?? a);
}

function tighter(
  a: Bound | undefined,
  b: Bound | undefined,
  isTighter: (x: number, y: number) => boolean,
): Bound | undefined {
  if (!a || !b) return a ?? b;
  if (a.value === b.value) return a.exclusive ? a : b;
  return isTighter(a.value, b.value) ? a : b;
}

/** What one schema says of properties that the other declares. */
function undeclared(schema: FlatSchema, name: string): JsonSchema | undefined {
  if (schema.properties.has(name)) return undefined;
  const isPatterned = [...schema.patternProperties.keys()].some((pattern) => patternMatches(pattern, name));
  return isPatterned ? undefined : schema.additionalProperties;
}

function mergedProperties(a: FlatSchema, b: FlatSchema): Map<string, JsonSchema> {
  const merged = new Map<string, JsonSchema>();
  for (const name of [...a.properties.keys(), ...b.properties.keys()]) {
    const left = a.properties.get(name) ?? undeclared(a, name);
    const right = b.properties.get(name) ?? undeclared(b, name);
    merged.set(name, bothOf(left, right) ?? true);
  }
  return merged;
}

function mergedPrefix(a: FlatSchema, b: FlatSchema): JsonSchema[] {
  const length = Math.max(a.prefixItems.length, b.prefixItems.length);
  return Array.from(
    { length },
    (_, index) => bothOf(a.prefixItems[index] ?? a.items, b.prefixItems[index] ?? b.items) ?? true,
  );
}

function mergedMaps(
  a: ReadonlyMap<string, JsonSchema>,
  b: ReadonlyMap<string, JsonSchema>,
): Map<string, JsonSchema> {
  const merged = new Map(a);
  for (const [key, schema] of b) merged.set(key, bothOf(merged.get(key), schema) ?? true);
  return merged;
}

function mergedValues(a: FlatSchema, b: FlatSchema): readonly unknown[] | undefined {
  if (!a.values || !b.values) return a.values ?? b.values;
  return a.values.filter((value) => b.values?.some((other) => sameValue(value, other)));
}

/** One schema that asks what both ask: the meaning of `allOf`. */
export function mergeSchemas(a: FlatSchema, b: FlatSchema): FlatSchema {
  return {
    types: commonTypes(a.types, b.types),
    values: mergedValues(a, b),
    properties: mergedProperties(a, b),
    patternProperties: mergedMaps(a.patternProperties, b.patternProperties),
    additionalProperties: bothOf(a.additionalProperties, b.additionalProperties),
    propertyNames: [...a.propertyNames, ...b.propertyNames],
    required: new Set([...a.required, ...b.required]),
    minProperties: Math.max(a.minProperties, b.minProperties),
    maxProperties: least(a.maxProperties, b.maxProperties),
    prefixItems: mergedPrefix(a, b),
    items: bothOf(a.items, b.items),
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: least(a.maxItems, b.maxItems),
    uniqueItems: a.uniqueItems || b.uniqueItems,
    closed: a.closed || b.closed,
    minLength: Math.max(a.minLength, b.minLength),
    maxLength: least(a.maxLength, b.maxLength),
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    formats: [...new Set([...a.formats, ...b.formats])],
    min: tighter(a.min, b.min, (x, y) => x > y),
    max: tighter(a.max, b.max, (x, y) => x < y),
    multiplesOf: [...new Set([...a.multiplesOf, ...b.multiplesOf])],
    unions: [...a.unions, ...b.unions],
  };
}
