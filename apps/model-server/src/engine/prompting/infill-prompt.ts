import { GenerationError } from '../../generation/generation-error.js';
import type { InfillPrompt, PromptPart } from '../../generation/generation-request.js';

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
export function createInfillPrompt(
  { prefix, suffix }: InfillPrompt,
  tokens: InfillTokens,
): readonly PromptPart[] {
  if (tokens.prefix === undefined || tokens.suffix === undefined) {
    throw new GenerationError(
      'unsupported',
      'this model cannot fill in the middle: it has no tokens for it',
      {
        param: 'suffix',
      },
    );
  }
  const markup = (text: string): PromptPart => ({ kind: 'markup', text });
  const plain = (text: string): PromptPart => ({ kind: 'plain', text });
  const before = [markup(tokens.prefix), plain(prefix)];
  const after = [markup(tokens.suffix), plain(suffix)];
  return tokens.middle === undefined ? [...after, ...before] : [...before, ...after, markup(tokens.middle)];
}
