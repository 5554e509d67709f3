import { z } from 'zod';
import { timestamp, valueEncoding } from './fields.js';

export const secretVersionSchema = z
  .strictObject({
    version: z.int(),
    is_current: z.boolean(),
    source: z.enum(['write', 'rollback', 'import', 'rewrap']),
    restored_from: z.int().nullable(),
    created_by: z.strictObject({ kind: z.enum(['user', 'token', 'system']), id: z.uuid().nullable() }),
    created_at: timestamp,
    destroyed_at: timestamp.nullable(),
    value: z.string().optional().meta({ description: 'Only when one version is read' }),
    encoding: valueEncoding.optional(),
  })
  .meta({ id: 'SecretVersion' });

export type SecretVersionMessage = z.infer<typeof secretVersionSchema>;
