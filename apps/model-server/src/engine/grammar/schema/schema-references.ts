import { GenerationError } from '../../../generation/generation-error.js';
import type { JsonSchema } from '../../../generation/tool.js';
import { isObject } from './read-keywords.js';
import type { SchemaPath } from './schema-problem.js';

export type ResolveReference = (reference: string, path: SchemaPath) => JsonSchema;

function atPointer(root: unknown, pointer: string): unknown {
  let value: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every schema of a document that has a name of its own (`$id`, `$anchor`). */
function namedSchemas(root: JsonSchema): Map<string, JsonSchema> {
  const named = new Map<string, JsonSchema>();
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value);
    if (!isObject(value)) continue;
    const { $id: id, $anchor: anchor } = value;
    if (typeof id === 'string') named.set(id, value);
    if (typeof anchor === 'string') named.set(`#${anchor}`, value);
    waiting.push(...Object.values(value));
  }
  return named;
}

/** Finds what `$ref` points to, within the same document: a server does not fetch schemas from elsewhere. */
export function createReferenceResolver(root: JsonSchema): ResolveReference {
  let named: Map<string, JsonSchema> | undefined;

  function find(reference: string): unknown {
    if (reference === '#' || reference === '') return root;
    if (reference.startsWith('#/')) return atPointer(root, reference.slice(1));
    named ??= namedSchemas(root);
    const whole = named.get(reference);
    if (whole !== undefined) return whole;
    const [document, pointer] = reference.split('#');
    const base = document ? named.get(document) : undefined;
    return base !== undefined && pointer?.startsWith('/') ? atPointer(base, pointer) : base;
  }

  return (reference, path) => {
    const found = find(reference);
    if (typeof found === 'boolean' || isObject(found)) return found;
    throw new GenerationError(
      'invalid-request',
      `the JSON schema refers to ${JSON.stringify(reference)} (${path || 'at the top'}), which is not in it`,
      { facts: { keyword: '$ref', path } },
    );
  };
}
