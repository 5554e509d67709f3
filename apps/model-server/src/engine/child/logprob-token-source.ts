import type { EvaluationPriority, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Sampling } from '../../generation/sampling.js';
import { sampleToken, seededRandom } from './sample-token.js';
import { penaltyWindow } from './sampler-options.js';
import type { SampledToken, TokenSource } from './token-source.js';

/** Where no top-k bounds the choice, what lies beyond this many candidates has no weight worth drawing from. */
const unboundedCandidates = 2048;

export interface LogprobTokenSourceOptions {
  readonly sequence: LlamaContextSequence;
  readonly priority: EvaluationPriority;
  readonly sampling: Sampling;
  readonly output: readonly number[];
  readonly topLogprobs: number;
}

/** Reports the probabilities of the model itself, before sampling cuts them down, and draws from them here. */
export class LogprobTokenSource implements TokenSource {
  readonly #options: LogprobTokenSourceOptions;
  readonly #random: () => number;
  readonly #biased: readonly number[];

  constructor(options: LogprobTokenSourceOptions) {
    this.#options = options;
    this.#random = options.sampling.seed === undefined ? Math.random : seededRandom(options.sampling.seed);
    this.#biased = Object.keys(options.sampling.logitBias).map(Number);
  }

  async next(tokens: readonly number[]): Promise<SampledToken> {
    const { sequence, sampling, output, priority, topLogprobs } = this.#options;
    const window = penaltyWindow(sampling, output);
    // A penalty can push at most these many tokens out of the first places, so the choice stays exact.
    const adjusted = [...new Set([...window, ...this.#biased])];
    const wanted = (sampling.topK > 0 ? sampling.topK : unboundedCandidates) + adjusted.length;
    const last = tokens.at(-1) as Token;
    const results = await sequence.controlledEvaluate(
      [
        ...(tokens.slice(0, -1) as Token[]),
        [
          last,
          {
            generateNext: {
              logits: {
                filter: { tokens: adjusted as Token[], includeTop: Math.max(wanted, topLogprobs, 1) },
              },
              totalLogitWeight: true,
              options: { temperature: 0 },
            },
          },
        ],
      ],
      { evaluationPriority: priority },
    );
    const next = results.at(-1)?.next;
    if (!next?.logits || next.totalLogitWeight === undefined) throw new Error('the model gave no logits');
    const candidates = [...next.logits]
      .map(([token, logit]) => ({ token: Number(token), logit }))
      .sort((left, right) => right.logit - left.logit);
    const normalizer = (candidates[0]?.logit ?? 0) + Math.log(next.totalLogitWeight);
    const token = sampleToken(candidates, sampling, window, this.#random);
    const logprobOf = (logit: number) => Math.min(0, logit - normalizer);
    return {
      token,
      logprob: logprobOf(candidates.find((candidate) => candidate.token === token)?.logit ?? normalizer),
      top: candidates
        .slice(0, topLogprobs)
        .map((candidate) => ({ token: candidate.token, logprob: logprobOf(candidate.logit) })),
    };
  }

  close(): void {
    // Each step has its own sampler, freed by the binding when the step ends.
  }
}
