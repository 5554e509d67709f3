import type { Timings } from '@hearth/protocol-types/completions/timings';
import type { Usage } from '@hearth/protocol-types/completions/usage';
import type { GenerationDurations, TokenUsage } from '../../generation/token-usage.js';

/** Choices of one prompt read it once; `choicesPerPrompt` says how many neighbours share theirs. */
export function renderUsage(usages: readonly TokenUsage[], choicesPerPrompt = usages.length): Usage {
  const prompts = usages.filter((_, index) => index % choicesPerPrompt === 0);
  const promptTokens = sum(prompts, (usage) => usage.promptTokens);
  const outputTokens = sum(usages, (usage) => usage.outputTokens);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: sum(prompts, (usage) => usage.cachedTokens) },
    completion_tokens_details: { reasoning_tokens: sum(usages, (usage) => usage.reasoningTokens) },
  };
}

export function renderTimings(usage: TokenUsage, durations: GenerationDurations): Timings {
  const computed = usage.promptTokens - usage.cachedTokens;
  return {
    cache_n: usage.cachedTokens,
    prompt_n: computed,
    prompt_ms: durations.promptMs,
    prompt_per_second: perSecond(computed, durations.promptMs),
    predicted_n: usage.outputTokens,
    predicted_ms: durations.outputMs,
    predicted_per_second: perSecond(usage.outputTokens, durations.outputMs),
  };
}

function perSecond(count: number, milliseconds: number): number {
  return milliseconds > 0 ? (count * 1000) / milliseconds : 0;
}

function sum(usages: readonly TokenUsage[], count: (usage: TokenUsage) => number): number {
  return usages.reduce((total, usage) => total + count(usage), 0);
}
