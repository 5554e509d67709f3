import { findProblems } from '@hearth/protocol-types/common/find-problems';
import type { Request } from 'express';
import type { z } from 'zod';
import { GenerationError } from '../generation/generation-error.js';

/** The body as the schema wants it, or an `invalid-request` that names the first field at fault. */
export function parseBody<Schema extends z.ZodType>(request: Request, schema: Schema): z.output<Schema> {
  if (request.body === undefined) throw new GenerationError('invalid-request', 'missing request body');
  const result = schema.safeParse(request.body);
  if (result.success) return result.data;
  const problem = findProblems(result.error)[0];
  if (!problem) throw new GenerationError('invalid-request', 'the request body is not valid');
  if (problem.path === '')
    throw new GenerationError('invalid-request', `the request body ${problem.message}`);
  throw new GenerationError('invalid-request', `${problem.path} ${problem.message}`, { param: problem.path });
}
