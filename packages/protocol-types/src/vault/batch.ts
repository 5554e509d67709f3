import { z } from 'zod';
import {
  environmentSlug,
  note,
  secretKey,
  secretPath,
  tags,
  valueEncoding,
  versionNumber,
} from './fields.js';
import { vaultLimits } from './limits.js';

const place = { env: environmentSlug, path: secretPath.default('/'), key: secretKey };
const precondition = {
  if_version: z.int().min(0).optional().meta({
    description:
      'Only if this is the current version; 0: only if there is none yet. A vault with requires_preconditions asks for it',
  }),
};

const operation = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('put'),
    ...place,
    ...precondition,
    value: z.string(),
    encoding: valueEncoding.default('utf8'),
    note: note.nullable().optional(),
    tags: tags.optional(),
  }),
  z.object({ op: z.literal('delete'), ...place, ...precondition }),
  z.object({ op: z.literal('rollback'), ...place, ...precondition, version: versionNumber }),
]);

/** Several changes, all or none. */
export const batchRequestSchema = z
  .object({
    atomic: z.literal(true, { error: 'must be true: a batch is always all or nothing' }).default(true),
    operations: z
      .array(operation)
      .min(1, 'must hold at least one operation')
      .max(vaultLimits.batchOperations, `must hold at most ${vaultLimits.batchOperations} operations`),
  })
  .meta({ id: 'BatchRequest' });

export const batchResponseSchema = z
  .strictObject({
    results: z.array(
      z.strictObject({
        op: z.enum(['put', 'delete', 'rollback']),
        key: z.string(),
        environment: z.string(),
        path: z.string(),
        version: z.int().nullable(),
        changed: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'BatchResponse' });

export type BatchRequest = z.infer<typeof batchRequestSchema>;
export type BatchOperation = z.infer<typeof operation>;
export type BatchResponse = z.infer<typeof batchResponseSchema>;
