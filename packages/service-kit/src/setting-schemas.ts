import { z } from 'zod';

// Schemas for settings, which arrive as text from flags and from the environment. Their messages never repeat the value.

export const hostSetting = (fallback: string) =>
  z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address')
    .regex(/^(?![^:]*:\d+$)/, 'must be without a port, which is a setting of its own')
    .default(fallback);

export const portSetting = (fallback: number) => integerSetting({ min: 0, max: 65_535, fallback });

export const integerSetting = (limits: { min: number; max: number; fallback: number }) =>
  z
    .string()
    .trim()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= limits.min && value <= limits.max, {
      message: `must be between ${limits.min} and ${limits.max}`,
    })
    .default(limits.fallback);

/** Repeatable on the command line; a comma-separated list in the environment. */
export const listSetting = () =>
  z
    .union([z.string(), z.array(z.string())])
    .default('')
    .transform((value) =>
      (Array.isArray(value) ? value : value.split(','))
        .map((item) => item.trim())
        .filter((item) => item.length > 0),
    );

/** Printable ASCII only, because the value travels in a header. */
export const secretSetting = (minimumLength: number) =>
  z
    .string()
    .min(minimumLength, `must have at least ${minimumLength} character${minimumLength === 1 ? '' : 's'}`)
    .max(4096, 'must have at most 4096 characters')
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional();

export const choiceSetting = <const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  fallback: Choices[number],
) => z.enum(choices, { error: `must be one of ${choices.join(', ')}` }).default(fallback as never);
