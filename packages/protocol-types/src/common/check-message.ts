import type { z } from 'zod';
import { findProblems, type Problem } from './find-problems.js';

export type CheckedMessage<Message> =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly problem: Problem };

// Zod reads this setting and leaves it out of its public type; the tests fail if a new version stops to read it.
const stopEarly: z.core.ParseContext<z.core.$ZodIssue> & { readonly abortEarly: true } = { abortEarly: true };

/**
 * Reads a body that a stranger sent. It stops at the first problem: a list of a million wrong items would otherwise
 * hold the process for seconds and fill its memory with a million problems.
 */
export function checkMessage<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): CheckedMessage<z.infer<Schema>> {
  const result = schema.safeParse(body, stopEarly);
  if (result.success) return { ok: true, message: result.data };
  const [problem = { path: '', message: 'is not valid' }] = findProblems(result.error);
  return { ok: false, problem };
}
