import type { JsonSchema } from '../../../generation/tool.js';
import type { JsonType } from './read-keywords.js';

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/**
 * What a schema asks of one value, with references followed and `allOf` merged. Schemas of parts stay as they came, so
 * that recursion ends where the text of the schema ends. `undefined` means "not said".
 */
export interface FlatSchema {
  readonly types: ReadonlySet<JsonType> | undefined;
  /** `enum` and `const`: the only values there are. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly patternProperties: ReadonlyMap<string, JsonSchema>;
  readonly additionalProperties: JsonSchema | undefined;
  readonly propertyNames: readonly JsonSchema[];
  readonly required: ReadonlySet<string>;
  readonly minProperties: number;
  readonly maxProperties: number | undefined;
  readonly prefixItems: readonly JsonSchema[];
  readonly items: JsonSchema | undefined;
  readonly minItems: number;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  /** Nothing may be there that is not declared (`unevaluatedProperties: false` and its kin). */
  readonly closed: boolean;
  readonly minLength: number;
  readonly maxLength: number | undefined;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
  readonly multiplesOf: readonly number[];
  /** Of each list, the value must match one. */
  readonly unions: readonly (readonly JsonSchema[])[];
}

export const anything: FlatSchema = {
  types: undefined,
  values: undefined,
  properties: new Map(),
  patternProperties: new Map(),
  additionalProperties: undefined,
  propertyNames: [],
  required: new Set(),
  minProperties: 0,
  maxProperties: undefined,
  prefixItems: [],
  items: undefined,
  minItems: 0,
  maxItems: undefined,
  uniqueItems: false,
  closed: false,
  minLength: 0,
  maxLength: undefined,
  patterns: [],
  formats: [],
  min: undefined,
  max: undefined,
  multiplesOf: [],
  unions: [],
};

function saysObject(schema: FlatSchema): boolean {
  return (
    schema.properties.size > 0 ||
    schema.patternProperties.size > 0 ||
    schema.additionalProperties !== undefined ||
    schema.propertyNames.length > 0 ||
    schema.required.size > 0 ||
    schema.minProperties > 0 ||
    schema.maxProperties !== undefined
  );
}

function saysArray(schema: FlatSchema): boolean {
  return (
    schema.prefixItems.length > 0 ||
    schema.items !== undefined ||
    schema.minItems > 0 ||
    schema.maxItems !== undefined ||
    schema.uniqueItems
  );
}

/**
 * The types of value to generate. A schema without `type` allows every type its keywords do not speak of; whoever
 * writes `properties` wants an object, so only the types that are spoken of are generated.
 */
export function generatedTypes(schema: FlatSchema): ReadonlySet<JsonType> | undefined {
  if (schema.types) return schema.types;
  const types = new Set<JsonType>();
  if (saysObject(schema)) types.add('object');
  if (saysArray(schema)) types.add('array');
  if (
    schema.minLength > 0 ||
    schema.maxLength !== undefined ||
    schema.patterns.length + schema.formats.length > 0
  ) {
    types.add('string');
  }
  if (schema.min || schema.max || schema.multiplesOf.length > 0) types.add('number');
  return types.size > 0 ? types : undefined;
}
