import type { JsonSchema } from '../../../generation/tool.js';
import { childPath, invalidKeyword, type SchemaPath } from './schema-problem.js';

export type SchemaObject = Exclude<JsonSchema, boolean>;

export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asSchema(value: unknown, keyword: string, path: SchemaPath): JsonSchema {
  if (typeof value === 'boolean' || isObject(value)) return value;
  throw invalidKeyword(keyword, path, 'a schema');
}

export function readSchema(schema: SchemaObject, keyword: string, path: SchemaPath): JsonSchema | undefined {
  const value = schema[keyword];
  return value === undefined ? undefined : asSchema(value, keyword, path);
}

export function readSchemaList(
  schema: SchemaObject,
  keyword: string,
  path: SchemaPath,
): JsonSchema[] | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidKeyword(keyword, path, 'a list of schemas');
  return value.map((item, index) => asSchema(item, String(index), childPath(path, keyword)));
}

export function readSchemaMap(
  schema: SchemaObject,
  keyword: string,
  path: SchemaPath,
): Map<string, JsonSchema> {
  const value = schema[keyword];
  if (value === undefined) return new Map();
  if (!isObject(value)) throw invalidKeyword(keyword, path, 'an object of schemas');
  return new Map(
    Object.entries(value).map(([name, item]) => [name, asSchema(item, name, childPath(path, keyword))]),
  );
}

export function readCount(schema: SchemaObject, keyword: string, path: SchemaPath): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw invalidKeyword(keyword, path, 'a whole number of at least 0');
}

export function readNumber(schema: SchemaObject, keyword: string, path: SchemaPath): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw invalidKeyword(keyword, path, 'a number');
}

export function readText(schema: SchemaObject, keyword: string, path: SchemaPath): string | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw invalidKeyword(keyword, path, 'a text');
}

export function readTextList(schema: SchemaObject, keyword: string, path: SchemaPath): readonly string[] {
  const value = schema[keyword];
  // Draft 4 had `required: true` on a property itself; it says nothing about that property's value.
  if (value === undefined || typeof value === 'boolean') return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw invalidKeyword(keyword, path, 'a list of names');
}

export function readTypes(schema: SchemaObject, path: SchemaPath): ReadonlySet<JsonType> | undefined {
  const value = schema['type'];
  if (value === undefined) return undefined;
  const names: unknown[] = Array.isArray(value) ? value : [value];
  const types = names.map((name) => {
    const type = jsonTypes.find((known) => known === name);
    if (!type) throw invalidKeyword('type', path, `one or more of ${jsonTypes.join(', ')}`);
    return type;
  });
  return new Set(types);
}
