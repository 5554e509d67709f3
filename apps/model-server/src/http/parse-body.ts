import { checkMessage } from '@hearth/protocol-types/common/check-message';
import type { Request } from 'express';
import type { z } from 'zod';
import { GenerationError } from '../generation/generation-error.js';

/** The body as the schema wants it, or an `invalid-request` that names the first field at fault. */
export function parseBody<Schema extends z.ZodType>(request: Request, schema: Schema): z.output<Schema> {
  if (request.body === undefined) throw new GenerationError('invalid-request', 'missing request body');
  const checked = checkMessage(schema, request.body);
  if (checked.ok) return checked.message;
  const { path, message } = checked.problem;
  if (path === '') throw new GenerationError('invalid-request', `the request body ${message}`);
  throw new GenerationError('invalid-request', `${path} ${message}`, { param: path });
}
