import { z } from 'zod';
import { timestamp } from './fields.js';

/** A browser that is signed in. */
export const sessionSummarySchema = z
  .strictObject({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'Whether this is the session that asks' }),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
    last_seen_at: timestamp,
    authenticated_at: timestamp.meta({ description: 'When the person last signed in here' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Session' });

/** Who is signed in here. */
export const currentSessionSchema = z
  .strictObject({
    user: z.strictObject({ id: z.uuid(), display_name: z.string(), created_at: timestamp }),
    session: z.strictObject({
      ...sessionSummarySchema.shape,
      fresh_until: timestamp.meta({
        description:
          'Until then tokens can be made, values exported and logins linked without signing in again',
      }),
    }),
  })
  .meta({ id: 'CurrentSession' });

export const revokedSessionsSchema = z.strictObject({ revoked: z.int() }).meta({ id: 'RevokedSessions' });

export type SessionSummary = z.infer<typeof sessionSummarySchema>;
export type CurrentSession = z.infer<typeof currentSessionSchema>;
export type RevokedSessions = z.infer<typeof revokedSessionsSchema>;
