import type { CompletionResponse } from '@hearth/protocol-types/completions/completion-response';
import type { GenerationResult } from '../../../generation/collect-result.js';
import type { FinishReason } from '../../../generation/finish-reason.js';
import { renderTimings, renderUsage } from '../render-usage.js';
import type { ReplyHead } from '../reply-head.js';
import type { TextCounts } from './parse-completion-request.js';
import { renderCompletionLogprobs } from './render-completion-logprobs.js';

export interface TextReplyOptions {
  readonly counts: TextCounts;
  /** What stands before each answer, one for each prompt: the prompt itself, or nothing. */
  readonly echoes: readonly string[];
  readonly logprobs: boolean;
}

export function renderCompletion(
  head: ReplyHead,
  results: readonly GenerationResult[],
  { counts, echoes, logprobs }: TextReplyOptions,
): CompletionResponse {
  const choices = echoes.flatMap((echo, prompt) => {
    const made = results.slice(prompt * counts.made, (prompt + 1) * counts.made);
    return best(made, counts).map((result) => ({ result, echo }));
  });
  const [only, ...others] = results;
  return {
    ...head,
    object: 'text_completion',
    choices: choices.map(({ result, echo }, index) => ({
      index,
      text: echo + result.reasoning + result.text,
      logprobs: logprobs ? renderCompletionLogprobs(result.logprobs, echo.length) : null,
      finish_reason: textFinishReason(result.reason),
    })),
    usage: renderUsage(
      results.map((result) => result.usage),
      counts.made,
    ),
    ...(only && others.length === 0 ? { timings: renderTimings(only.usage, only.durations) } : {}),
  };
}

export function textFinishReason({ kind }: FinishReason): 'stop' | 'length' {
  return kind === 'max-tokens' || kind === 'context-full' ? 'length' : 'stop';
}

/** The likeliest per token, first. */
function best(results: readonly GenerationResult[], counts: TextCounts): readonly GenerationResult[] {
  if (counts.made === counts.shown) return results;
  return [...results].sort((a, b) => meanLogprob(b) - meanLogprob(a)).slice(0, counts.shown);
}

function meanLogprob({ logprobs }: GenerationResult): number {
  return logprobs.reduce((sum, { logprob }) => sum + logprob, 0) / Math.max(1, logprobs.length);
}
