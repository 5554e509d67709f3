import { z } from 'zod';
import { timestamp } from './fields.js';
import { pagingQuerySchema } from './paging-query.js';

/** Whose log: one's own, or that of the installation (backups, rotations, unsealing), for operators in a session. */
export const auditLogQuerySchema = z.object({
  log: z
    .enum(['own', 'installation'], { error: 'must be own or installation' })
    .default('own')
    .meta({ description: 'installation: what was done to the whole vault; for operators, not for tokens' }),
});

export const auditFilterSchema = auditLogQuerySchema.extend({
  action: z
    .string()
    .regex(
      /^[a-z_]+(?:\.[a-z_]+)?(?:\.\*)?$/,
      'must be an action such as secret.read, or a group such as secret.*',
    )
    .optional(),
  target: z.uuid('must be the id of what was acted on').optional(),
  vault: z.uuid('must be the id of a vault').optional(),
  actor: z.uuid('must be the id of a user or token').optional(),
  outcome: z.enum(['success', 'denied', 'error'], { error: 'must be success, denied or error' }).optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
});

export const auditQuerySchema = auditFilterSchema.extend(pagingQuerySchema.shape);

export const auditEventSchema = z
  .strictObject({
    id: z.int(),
    at: timestamp,
    actor: z.strictObject({
      kind: z.string(),
      id: z.uuid().nullable(),
      label: z.string().nullable(),
    }),
    action: z.string(),
    outcome: z.enum(['success', 'denied', 'error']),
    target: z
      .strictObject({ kind: z.string(), id: z.uuid().nullable(), label: z.string().nullable() })
      .nullable(),
    vault_id: z.uuid().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string(),
    meta: z.record(z.string(), z.unknown()),
    hash: z.string(),
    prev_hash: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent' });

export const auditVerificationSchema = z
  .strictObject({
    valid: z.boolean(),
    events: z.int(),
    first_broken_id: z.int().nullable(),
    head: z.string().nullable().meta({ description: 'Hash of the newest event: keep a copy elsewhere' }),
  })
  .meta({ id: 'AuditVerification' });

export type AuditFilter = z.infer<typeof auditFilterSchema>;
export type AuditEventMessage = z.infer<typeof auditEventSchema>;
export type AuditVerificationMessage = z.infer<typeof auditVerificationSchema>;
