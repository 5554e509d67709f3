import { openApiSchemaWriter, type WriteSchema } from '@hearth/service-kit/openapi-schemas';
import type { z } from 'zod';
import type { ApiFamily, Operation, Reply } from './operation.js';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly security: readonly Record<string, readonly string[]>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** A family described from the schemas that check it, so that the two cannot differ. */
export function openApiDocument(family: ApiFamily, version: string): OpenApiDocument {
  const schemas: Record<string, unknown> = {};
  const write = openApiSchemaWriter(schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of family.operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describeOperation(operation, family.error, write);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: family.title, version, description: family.description },
    // The empty one: a server without a key asks for none.
    security: [{ bearer: [] }, { apiKey: [] }, {}],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
}

function describeOperation(operation: Operation, error: z.ZodType, write: WriteSchema) {
  const { id, summary, body, bodyType = 'application/json' } = operation;
  return {
    operationId: id,
    summary,
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query, write)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [bodyType]: { schema: write(body, 'input') } } } }),
    responses: {
      ...Object.fromEntries(
        operation.replies.map((reply) => [reply.status ?? 200, describeReply(reply, write)]),
      ),
      default: {
        description: 'An error.',
        content: { 'application/json': { schema: write(error, 'output') } },
      },
    },
  };
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined, write: WriteSchema) {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: false,
    schema: write(field as z.ZodType, 'input'),
  }));
}

function describeReply({ description, content }: Reply, write: WriteSchema) {
  if (content === undefined) return { description };
  const written = Object.entries(content).map(([type, schema]) => [
    type,
    { schema: write(schema, 'output') },
  ]);
  return { description, content: Object.fromEntries(written) };
}
