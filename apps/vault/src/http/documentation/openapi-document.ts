import { problemSchema } from '@hearth/protocol-types/vault/problem';
import { openApiSchemaWriter, type WriteSchema } from '@hearth/service-kit/openapi-schemas';
import type { z } from 'zod';
import { errorCodes } from '../../errors/error-codes.js';
import type { Access, DocumentedReply, Operation } from '../operations/operation.js';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly securitySchemes: Record<string, unknown>;
  };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly 'x-access': Access;
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { schema: unknown }>;
  };
  readonly responses: Record<string, unknown>;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

/** The API described from the schemas that check it, so that the two cannot differ. */
export function openApiDocument(operations: readonly Operation[], version: string): OpenApiDocument {
  const schemas: Record<string, unknown> = {};
  const toSchema = openApiSchemaWriter(schemas);
  const paths: OpenApiDocument['paths'] = {};
  const problem = { 'application/problem+json': { schema: toSchema(problemSchema, 'output') } };
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = document(operation, toSchema, problem);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hearth vault',
      version,
      description:
        'Encrypted secrets, scoped tokens and an audit log. Errors are problem documents (RFC 9457).',
    },
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, sk-svc-…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-hearth',
          description: 'The console’s session',
        },
      },
    },
  };
}

function document(operation: Operation, toSchema: WriteSchema, problem: unknown): DocumentedOperation {
  const { id, tag, summary, description, access, body, bodyTypes = ['application/json'] } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(access),
    'x-access': access,
    parameters: parametersOf(operation, toSchema),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: toSchema(body, 'input') }])),
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.replies).map(([status, reply]) => [status, replyOf(reply, toSchema)]),
      ),
      default: { description: `A problem: ${Object.keys(errorCodes).join(', ')}`, content: problem },
    },
  };
}

function securityOf(access: Access): Record<string, readonly string[]>[] {
  switch (access.kind) {
    case 'public':
      return [];
    case 'session':
      return [{ session: [] }];
    case 'token':
      return [{ token: [] }];
    case 'anyone':
      return [{ token: [] }, { session: [] }];
    case 'scopes':
      return [{ token: access.scopes }, { session: [] }];
    default:
      return access satisfies never;
  }
}

function parametersOf(operation: Operation, toSchema: WriteSchema): DocumentedParameter[] {
  const fromSchema = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      ...describe(field as z.ZodType),
      schema: toSchema(field as z.ZodType, 'input'),
    }));
  const headers = Object.entries({
    ...operation.headers,
    ...(operation.idempotencyKey === true
      ? { 'Idempotency-Key': 'Makes a repeated request harmless: it gets the first answer for a day' }
      : {}),
  }).map(([name, description]) => ({
    name,
    in: 'header' as const,
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...fromSchema(operation.params, 'path'), ...fromSchema(operation.query, 'query'), ...headers];
}

function describe(field: z.ZodType): { description?: string } {
  return field.description === undefined ? {} : { description: field.description };
}

function replyOf(reply: DocumentedReply, toSchema: WriteSchema): unknown {
  const { schema } = reply;
  const content =
    schema === undefined
      ? (reply.contentTypes ?? []).map((type) => [
          type,
          { schema: type.includes('/json') ? {} : { type: 'string' } },
        ])
      : [['application/json', { schema: toSchema(schema, 'output') }]];
  return {
    description: reply.description,
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
    ...(reply.headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(reply.headers).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        }),
  };
}
