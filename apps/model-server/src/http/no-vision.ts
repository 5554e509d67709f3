import { GenerationError } from '../generation/generation-error.js';

/** Every family is told the same: an image cannot be looked at here. */
export function noVision(param: string): GenerationError {
  return new GenerationError('unsupported', `${param}: this server has no vision and cannot read images`, {
    param,
  });
}
