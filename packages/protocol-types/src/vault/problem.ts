import { z } from 'zod';

/** An error in the form of RFC 9457. `code` is for programs, `detail` for people. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    code: z.string(),
    request_id: z.string().optional(),
    errors: z
      .array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'Each field that was wrong, by JSON pointer' }),
    required_scopes: z.array(z.string()).optional(),
    current_version: z.int().nullable().optional(),
  })
  .loose()
  .meta({ id: 'Problem', description: 'What went wrong (RFC 9457)' });

export type Problem = z.infer<typeof problemSchema>;
