import { z } from 'zod';
import { environmentSlug, querySwitch, secretPath } from './fields.js';

export const importQuerySchema = z.object({
  env: environmentSlug,
  path: secretPath.default('/'),
  mode: z
    .enum(['merge', 'skip', 'replace'], { error: 'must be merge, skip or replace' })
    .default('merge')
    .meta({
      description:
        'merge: add and change. skip: only add. replace: add, change, and put what the file lacks into the trash',
    }),
  dry_run: querySwitch.default(false).meta({ description: 'Only say what would happen' }),
});

const lineProblem = z.strictObject({ line: z.int(), reason: z.string() });

/** Names only; never a value. */
export const importResponseSchema = z
  .strictObject({
    dry_run: z.boolean(),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
    skipped: z.array(z.string()),
    removed: z.array(z.string()),
    errors: z
      .array(lineProblem)
      .meta({ description: 'Lines that cannot be read; without dry_run they stop the import' }),
    warnings: z.array(lineProblem),
  })
  .meta({ id: 'ImportResponse' });

export type ImportResponse = z.infer<typeof importResponseSchema>;
