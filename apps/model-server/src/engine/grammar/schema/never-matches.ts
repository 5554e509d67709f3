import type { FlatSchema } from './flat-schema.js';
import { generatedTypes } from './flat-schema.js';
import { commonTypes, mergeSchemas } from './merge-schemas.js';
import type { JsonType } from './read-keywords.js';
import { type Flatten, valueMatches } from './value-matches.js';

const maxDepth = 4;

/** Whether objects generated from a schema can hold a property. Undeclared ones are generated only when asked for. */
function canHold(schema: FlatSchema, name: string): boolean {
  if (schema.properties.has(name)) return schema.properties.get(name) !== false;
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  const isFree = schema.properties.size === 0 && schema.additionalProperties === undefined && !schema.closed;
  return isOpen || isFree || schema.patternProperties.size > 0 || schema.required.has(name);
}

function objectsNeverMatch(
  generated: FlatSchema,
  other: FlatSchema,
  flatten: Flatten,
  depth: number,
): boolean {
  for (const name of other.required) if (!canHold(generated, name)) return true;
  for (const name of generated.required) {
    const theirs =
      other.properties.get(name) ??
      (other.patternProperties.size > 0 ? undefined : other.additionalProperties);
    if (theirs === undefined) continue;
    const ours = generated.properties.get(name) ?? generated.additionalProperties ?? true;
    if (neverMatches(flatten(ours), flatten(theirs), flatten, depth + 1)) return true;
  }
  return false;
}

function rangesApart(a: FlatSchema, b: FlatSchema): boolean {
  const apart = (low: FlatSchema, high: FlatSchema) =>
    low.max !== undefined &&
    high.min !== undefined &&
    (low.max.value < high.min.value ||
      (low.max.value === high.min.value && (low.max.exclusive || high.min.exclusive)));
  return apart(a, b) || apart(b, a);
}

function countsApart(
  min: number,
  max: number | undefined,
  otherMin: number,
  otherMax: number | undefined,
): boolean {
  return (max ?? Number.POSITIVE_INFINITY) < otherMin || (otherMax ?? Number.POSITIVE_INFINITY) < min;
}

function typeNeverMatches(
  type: JsonType,
  generated: FlatSchema,
  other: FlatSchema,
  flatten: Flatten,
  depth: number,
): boolean {
  switch (type) {
    case 'object':
      return objectsNeverMatch(generated, other, flatten, depth);
    case 'array': {
      if (countsApart(generated.minItems, generated.maxItems, other.minItems, other.maxItems)) return true;
      const ours = generated.prefixItems[0] ?? generated.items;
      const theirs = other.prefixItems[0] ?? other.items;
      const bothHaveItems = generated.minItems > 0 && ours !== undefined && theirs !== undefined;
      return bothHaveItems && neverMatches(flatten(ours), flatten(theirs), flatten, depth + 1);
    }
    case 'string':
      return countsApart(generated.minLength, generated.maxLength, other.minLength, other.maxLength);
    case 'integer':
    case 'number':
      return rangesApart(generated, other);
    default:
      return false;
  }
}

/** Whether it is certain that no value generated from the first schema matches the second. */
export function neverMatches(
  generated: FlatSchema | false,
  other: FlatSchema | false,
  flatten: Flatten,
  depth = 0,
): boolean {
  if (generated === false || other === false) return true;
  if (depth > maxDepth) return false;
  const [union, ...unions] = generated.unions;
  if (union) {
    const rest = { ...generated, unions };
    return union.every((branch) => {
      const flat = flatten(branch);
      return flat === false || neverMatches(mergeSchemas(rest, flat), other, flatten, depth + 1);
    });
  }
  const [theirUnion, ...theirUnions] = other.unions;
  if (theirUnion) {
    const rest = { ...other, unions: theirUnions };
    return theirUnion.every((branch) => {
      const flat = flatten(branch);
      return flat === false || neverMatches(generated, mergeSchemas(rest, flat), flatten, depth + 1);
    });
  }
  if (generated.values) return generated.values.every((value) => !valueMatches(value, other, flatten));
  if (other.values) return other.values.every((value) => !valueMatches(value, generated, flatten));
  const types = commonTypes(generatedTypes(generated), other.types);
  return (
    types !== undefined &&
    [...types].every((type) => typeNeverMatches(type, generated, other, flatten, depth))
  );
}
