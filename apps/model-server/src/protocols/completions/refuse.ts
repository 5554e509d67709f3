import { GenerationError } from '../../generation/generation-error.js';

/** A known field whose value this server cannot honour. The text follows the name of the field in a sentence. */
export function refuse(param: string, message: string): never {
  throw new GenerationError('unsupported', `${param} ${message}`, { param });
}

/** A field that is wrong in itself, or wrong beside another one. */
export function reject(param: string, message: string): never {
  throw new GenerationError('invalid-request', `${param} ${message}`, { param });
}
