import { z } from 'zod';

export const introspectionRequestSchema = z
  .object({ token: z.string().min(1, 'must not be empty').max(1024), token_type_hint: z.string().optional() })
  .meta({ id: 'IntrospectionRequest' });

/** RFC 7662. A token that is not active gets no other field: nothing is told about it. */
export const introspectionResponseSchema = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      scope: z.string(),
      client_id: z.string(),
      username: z.string(),
      token_type: z.literal('Bearer'),
      exp: z.int().optional(),
      iat: z.int(),
      sub: z.string(),
      jti: z.string(),
    }),
  ])
  .meta({ id: 'IntrospectionResponse' });

export type IntrospectionResponse = z.infer<typeof introspectionResponseSchema>;
