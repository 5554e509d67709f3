import { z } from 'zod';

/** The scopes with their effect in plain words, for a form that makes tokens. */
export const scopeCatalogueSchema = z
  .strictObject({
    scopes: z.array(
      z.strictObject({
        name: z.string(),
        group: z.string(),
        title: z.string(),
        effect: z.string(),
        implies: z.array(z.string()),
      }),
    ),
    presets: z.array(
      z.strictObject({ id: z.string(), title: z.string(), effect: z.string(), scopes: z.array(z.string()) }),
    ),
  })
  .meta({ id: 'ScopeCatalogue' });

export type ScopeCatalogue = z.infer<typeof scopeCatalogueSchema>;
