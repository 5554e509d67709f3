import { z } from 'zod';
import { timestamp, valueEncoding } from './fields.js';

const metadata = {
  id: z.uuid(),
  key: z.string(),
  path: z.string(),
  environment: z.string(),
  version: z.int().meta({ description: 'The current version; also its ETag' }),
  note: z.string().nullable(),
  tags: z.array(z.string()),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A secret without its value; in a list with `include=values`, with it. */
export const secretSchema = z
  .strictObject({
    ...metadata,
    deleted_at: timestamp.optional().meta({ description: 'Only in the trash' }),
    value: z.string().optional().meta({ description: 'Only with include=values' }),
    encoding: valueEncoding.optional(),
  })
  .meta({ id: 'Secret' });

export const secretValueSchema = z
  .strictObject({
    ...metadata,
    value: z.string(),
    encoding: valueEncoding,
    version_created_at: timestamp,
  })
  .meta({ id: 'SecretValue' });

/** What a write answers: never the value. */
export const writtenSecretSchema = z
  .strictObject({
    ...metadata,
    changed: z.boolean().meta({ description: 'False where the value was already there: no new version' }),
  })
  .meta({ id: 'WrittenSecret' });

export type SecretMessage = z.infer<typeof secretSchema>;
export type SecretValueMessage = z.infer<typeof secretValueSchema>;
export type WrittenSecretMessage = z.infer<typeof writtenSecretSchema>;
