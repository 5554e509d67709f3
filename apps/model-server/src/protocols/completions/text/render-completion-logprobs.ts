import type { CompletionLogprobs } from '@hearth/protocol-types/completions/completion-response';
import type { TokenLogprob } from '../../../generation/generation-event.js';
import { finite } from '../render-logprobs.js';

/** `offset` is where the first token starts in the text that the caller sees. */
export function renderCompletionLogprobs(
  logprobs: readonly TokenLogprob[],
  offset: number,
): CompletionLogprobs {
  let next = offset;
  return {
    tokens: logprobs.map(({ token }) => token),
    token_logprobs: logprobs.map(({ logprob }) => finite(logprob)),
    top_logprobs: logprobs.map(({ top }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, finite(logprob)])),
    ),
    text_offset: logprobs.map(({ token }) => {
      const start = next;
      next += token.length;
      return start;
    }),
  };
}
