import { GenerationError } from '../../generation/generation-error.js';
import type { InfillPrompt } from '../../generation/generation-request.js';

/** The texts of a model's fill-in-the-middle tokens, each missing where the model has none. */
export interface InfillTokens {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly middle?: string | undefined;
}

/**
 * Prefix, suffix, middle, in the order every family was trained on. Two forms exist: with a middle token the model
 * writes after it; without one the suffix stands first and the model goes on with the prefix.
 */
export function createInfillPrompt({ prefix, suffix }: InfillPrompt, tokens: InfillTokens): string {
  if (tokens.prefix === undefined || tokens.suffix === undefined) {
    throw new GenerationError(
      'unsupported',
      'this model cannot fill in the middle: it has no tokens for it',
      {
        param: 'suffix',
      },
    );
  }
  if (tokens.middle === undefined) return `${tokens.suffix}${suffix}${tokens.prefix}${prefix}`;
  return `${tokens.prefix}${prefix}${tokens.suffix}${suffix}${tokens.middle}`;
}
