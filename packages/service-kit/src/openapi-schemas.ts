import { z } from 'zod';

/** A schema as it stands in an OpenAPI 3.1 document, seen from who sends (`input`) or who receives (`output`). */
export type WriteSchema = (schema: z.ZodType, io: 'input' | 'output') => unknown;

/** Schemas with a name become components of the document, and are referred to wherever they stand. */
export function openApiSchemaWriter(components: Record<string, unknown>): WriteSchema {
  return (schema, io) => {
    const written = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
    const { $schema: _dialect, $defs, ...body } = written;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, unknown>)) {
      components[name] = withComponentReferences(definition);
    }
    return withComponentReferences(body);
  };
}

function withComponentReferences(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
