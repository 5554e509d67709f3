import type { JsonSchema } from '../../../generation/tool.js';
import { patternMatches } from '../language/accepts.js';
import { stringFormat } from '../language/string-formats.js';
import type { FlatSchema } from './flat-schema.js';
import { isObject, type JsonType } from './read-keywords.js';

export type Flatten = (schema: JsonSchema) => FlatSchema | false;

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

function numberMatches(value: number, schema: FlatSchema): boolean {
  const { min, max } = schema;
  if (min && (min.exclusive ? value <= min.value : value < min.value)) return false;
  if (max && (max.exclusive ? value >= max.value : value > max.value)) return false;
  return schema.multiplesOf.every((divisor) => {
    const quotient = value / divisor;
    return Math.abs(quotient - Math.round(quotient)) < 1e-9;
  });
}

function stringMatches(value: string, schema: FlatSchema): boolean {
  const length = [...value].length;
  if (length < schema.minLength || length > (schema.maxLength ?? length)) return false;
  if (!schema.patterns.every((pattern) => patternMatches(pattern, value))) return false;
  return schema.formats.every((name) => {
    const format = stringFormat(name);
    return typeof format === 'string' || patternMatches(format.regex, value);
  });
}

function arrayMatches(value: readonly unknown[], schema: FlatSchema, flatten: Flatten): boolean {
  if (value.length < schema.minItems || value.length > (schema.maxItems ?? value.length)) return false;
  if (schema.uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    return false;
  return value.every((item, index) => {
    const of = schema.prefixItems[index] ?? schema.items;
    return of === undefined || valueMatches(item, flatten(of), flatten);
  });
}

function objectMatches(
  value: Readonly<Record<string, unknown>>,
  schema: FlatSchema,
  flatten: Flatten,
): boolean {
  const entries = Object.entries(value);
  if (entries.length < schema.minProperties || entries.length > (schema.maxProperties ?? entries.length))
    return false;
  if (![...schema.required].every((name) => Object.hasOwn(value, name))) return false;
  return entries.every(([name, item]) => {
    const patterned = [...schema.patternProperties].filter(([pattern]) => patternMatches(pattern, name));
    const own = schema.properties.get(name);
    const all = [...(own === undefined ? [] : [own]), ...patterned.map(([, of]) => of)];
    if (all.length === 0) all.push(schema.additionalProperties ?? !schema.closed);
    const nameFits = schema.propertyNames.every((of) => valueMatches(name, flatten(of), flatten));
    return nameFits && all.every((of) => valueMatches(item, flatten(of), flatten));
  });
}

/** Whether a given value (of `enum` or `const`) matches the rest of its schema. */
export function valueMatches(value: unknown, schema: FlatSchema | false, flatten: Flatten): boolean {
  if (schema === false) return false;
  const type = typeOf(value);
  const { types } = schema;
  if (types && !types.has(type) && !(type === 'integer' && types.has('number'))) return false;
  const text = JSON.stringify(value);
  if (schema.values && !schema.values.some((other) => JSON.stringify(other) === text)) return false;
  if (!schema.unions.every((union) => union.some((branch) => valueMatches(value, flatten(branch), flatten))))
    return false;
  if (typeof value === 'number') return numberMatches(value, schema);
  if (typeof value === 'string') return stringMatches(value, schema);
  if (Array.isArray(value)) return arrayMatches(value, schema, flatten);
  return !isObject(value) || objectMatches(value, schema, flatten);
}
