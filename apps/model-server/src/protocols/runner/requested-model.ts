import { GenerationError } from '../../generation/generation-error.js';

/** The model that a library request names, in either field. */
export function requestedModel(body: {
  model?: string | null | undefined;
  name?: string | null | undefined;
}): string {
  const name = body.model || body.name;
  if (!name) throw new GenerationError('invalid-request', 'invalid model name', { param: 'model' });
  return name;
}
