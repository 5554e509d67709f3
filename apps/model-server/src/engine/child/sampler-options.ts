import { type LlamaModel, type SequenceEvaluateOptions, type Token, TokenBias } from 'node-llama-cpp';
import type { Sampling } from '../../generation/sampling.js';

/** How far back the additive penalties look when no repeat penalty sets the window: they are meant for the whole reply. */
const additivePenaltyWindow = 2048;

/** The tokens that the penalties count: of the reply only, because a prompt is there to be quoted. */
export function penaltyWindow(sampling: Sampling, output: readonly number[]): readonly number[] {
  const additive = sampling.frequencyPenalty !== 0 || sampling.presencePenalty !== 0;
  const multiplicative = sampling.repeatPenalty !== 1 && sampling.repeatLastN !== 0;
  if (!additive && !multiplicative) return [];
  if (!multiplicative) return output.slice(-additivePenaltyWindow);
  return sampling.repeatLastN < 0 ? output : output.slice(-sampling.repeatLastN);
}

export function hasPenalties(sampling: Sampling): boolean {
  const multiplicative = sampling.repeatPenalty !== 1 && sampling.repeatLastN !== 0;
  return multiplicative || sampling.frequencyPenalty !== 0 || sampling.presencePenalty !== 0;
}

/** The sampling of a request in the words of the binding. */
export function samplerOptions(
  model: LlamaModel,
  sampling: Sampling,
  output: readonly number[],
): SequenceEvaluateOptions {
  const biased = Object.entries(sampling.logitBias);
  return {
    temperature: sampling.temperature,
    topK: sampling.topK,
    topP: sampling.topP,
    minP: sampling.minP,
    ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    ...(biased.length === 0 ? {} : { tokenBias: tokenBias(model, biased) }),
    ...(hasPenalties(sampling)
      ? {
          repeatPenalty: {
            punishTokens: () => penaltyWindow(sampling, output) as Token[],
            penalty: sampling.repeatLastN === 0 ? 1 : sampling.repeatPenalty,
            frequencyPenalty: sampling.frequencyPenalty,
            presencePenalty: sampling.presencePenalty,
          },
        }
      : {}),
  };
}

function tokenBias(model: LlamaModel, biased: readonly (readonly [string, number])[]): TokenBias {
  const bias = TokenBias.for(model);
  for (const [token, logit] of biased) bias.set(Number(token) as Token, logit <= -100 ? 'never' : { logit });
  return bias;
}
