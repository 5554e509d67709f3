import { z } from 'zod';
import { vaultLimits } from './limits.js';

// Pieces that several messages share. Messages of these schemas are shown to callers and never repeat the value.

export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601 in UTC with milliseconds' });

// Control characters hide text; bidirectional ones make one name look like another.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** A name for people: one visible line, in the one normal form of Unicode, so that equal names are equal bytes. */
export const displayName = z
  .string()
  .transform((name) => name.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'must not be empty')
      .max(vaultLimits.nameLength, `must have at most ${vaultLimits.nameLength} characters`)
      .refine((name) => !invisible.test(name), 'must not hold control or text-direction characters'),
  );

export const secretKey = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,254}$/,
    'must start with a letter or _ and hold only letters, digits and _, at most 255 characters',
  )
  .meta({ description: 'Name of a secret; safe in every shell and .env file', examples: ['DATABASE_URL'] });

export const secretPath = z
  .string()
  .max(vaultLimits.pathLength, `must have at most ${vaultLimits.pathLength} characters`)
  .regex(
    /^\/(?:[A-Za-z0-9_.-]{1,64}\/)*$/,
    'must start and end with / and hold only letters, digits, _, . and -',
  )
  .meta({ description: 'Folder of a secret, from / downwards', examples: ['/', '/payments/'] });

export const environmentSlug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'must hold only small letters, digits and -, at most 40, and not start with -',
  )
  .meta({ description: 'Short name of an environment', examples: ['dev', 'prod'] });

export const note = z
  .string()
  .max(vaultLimits.noteLength, `must have at most ${vaultLimits.noteLength} characters`)
  .refine((text) => !/\0|\p{Surrogate}/u.test(text), 'must be well-formed text');

export const tags = z
  .array(
    z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:/ -]*$/u, 'must be letters, digits and _ . : / - only')
      .max(vaultLimits.tagLength, `must have at most ${vaultLimits.tagLength} characters`),
  )
  .max(vaultLimits.tagsPerSecret, `must be at most ${vaultLimits.tagsPerSecret} tags`)
  .transform((list) => [...new Set(list)]);

export const valueEncoding = z.enum(['utf8', 'base64']).meta({
  description: 'utf8: the value is text. base64: the value is bytes, written in base64',
});

export const versionNumber = z.int().min(1);

/** A switch in a query string. */
export const querySwitch = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true');
