import type {
  EvaluationPriority,
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  Token,
} from 'node-llama-cpp';
import type { Sampling } from '../../generation/sampling.js';
import { samplerOptions } from './sampler-options.js';
import type { SampledToken, TokenSource } from './token-source.js';

export interface NativeTokenSourceOptions {
  readonly sequence: LlamaContextSequence;
  readonly priority: EvaluationPriority;
  readonly sampling: Sampling;
  /** The tokens of the reply so far; it grows while the source is used. */
  readonly output: readonly number[];
  readonly grammar: () => LlamaGrammarEvaluationState | undefined;
  /** With a grammar, log-probabilities are those of the allowed tokens. */
  readonly topLogprobs?: number | undefined;
}

/** Samples in native code: the fast way, and the only one that knows grammars. */
export class NativeTokenSource implements TokenSource {
  readonly #options: NativeTokenSourceOptions;
  #iterator: ReturnType<NativeTokenSource['iterate']> | undefined;

  constructor(options: NativeTokenSourceOptions) {
    this.#options = options;
  }

  async next(tokens: readonly number[]): Promise<SampledToken> {
    let result: Awaited<ReturnType<ReturnType<NativeTokenSource['iterate']>['next']>>;
    if (this.#iterator) {
      result = await this.#iterator.next(tokens as Token[]);
    } else {
      this.#iterator = this.iterate(tokens);
      result = await this.#iterator.next();
    }
    if (result.done) throw new Error('the sampler gave no token');
    const { token, probabilities } = result.value as { token: Token; probabilities?: Map<Token, number> };
    if (!probabilities) return { token };
    const top: { token: number; logprob: number }[] = [];
    for (const [candidate, probability] of probabilities) {
      if (top.length >= (this.#options.topLogprobs ?? 0) || probability <= 0) break;
      top.push({ token: candidate, logprob: Math.log(probability) });
    }
    return { token, logprob: Math.log(probabilities.get(token) ?? 1), top };
  }

  close(): void {
    this.#iterator?.return().catch(() => undefined);
  }

  private iterate(tokens: readonly number[]) {
    const { sequence, sampling, output, grammar, priority, topLogprobs } = this.#options;
    return sequence.evaluateWithMetadata(
      tokens as Token[],
      { probabilities: topLogprobs !== undefined },
      {
        ...samplerOptions(sequence.model, sampling, output),
        grammarEvaluationState: grammar,
        evaluationPriority: priority,
        yieldEogToken: true,
      },
    );
  }
}
