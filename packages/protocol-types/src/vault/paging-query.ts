import { z } from 'zod';
import { vaultLimits } from './limits.js';

export const pagingQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number')
    .transform(Number)
    .pipe(
      z
        .int()
        .min(1, 'must be at least 1')
        .max(vaultLimits.pageSize, `must be at most ${vaultLimits.pageSize}`),
    )
    .default(100),
  cursor: z.string().max(2048).optional().meta({ description: 'From the Link header of the page before' }),
});

export type PagingQuery = z.infer<typeof pagingQuerySchema>;
