import { z } from 'zod';

export const environmentSchema = z
  .strictObject({
    slug: z.string(),
    position: z.int(),
    secret_count: z.int().meta({ description: 'Secrets in it, without those in the trash' }),
  })
  .meta({ id: 'Environment' });

export type EnvironmentMessage = z.infer<typeof environmentSchema>;
