import { toUSVString } from 'node:util';
import type { LlamaEmbeddingContext, LlamaModel, LlamaRankingContext, Token } from 'node-llama-cpp';
import { GenerationError } from '../../generation/generation-error.js';
import type { EngineCalls } from '../ipc/engine-calls.js';
import type { Vocabulary } from './vocabulary.js';

/** An input goes through in one batch (encoders need that), so its length is bounded by what a batch may cost. */
const mostEmbeddingContext = 8192;

export interface EmbedderOptions {
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly contextLength: number;
  readonly threads: number;
}

/** Vectors and rankings. Their contexts are opened when first asked for: most models never are. */
export class Embedder {
  readonly #options: EmbedderOptions;
  #embedding: Promise<LlamaEmbeddingContext> | undefined;
  #ranking: Promise<LlamaRankingContext> | undefined;

  constructor(options: EmbedderOptions) {
    this.#options = { ...options, contextLength: Math.min(options.contextLength, mostEmbeddingContext) };
  }

  async embed(
    input: EngineCalls['embed']['input'],
    signal: AbortSignal,
  ): Promise<EngineCalls['embed']['output']> {
    const tokens = input.inputs.map((item, index) => this.#tokensOf(item, index, input.overflow));
    const context = await this.#openEmbedding();
    const vectors: Float64Array[] = [];
    for (const item of tokens) {
      signal.throwIfAborted();
      vectors.push(Float64Array.from((await context.getEmbeddingFor(item as Token[])).vector));
    }
    return { vectors, promptTokens: tokens.reduce((sum, item) => sum + item.length, 0) };
  }

  async rerank(
    input: EngineCalls['rerank']['input'],
    signal: AbortSignal,
  ): Promise<EngineCalls['rerank']['output']> {
    const context = await this.#openRanking();
    const query = toUSVString(input.query);
    const documents = input.documents.map((document) => toUSVString(document));
    const lengths = documents.map((document) => context.calculateInputLength(query, document));
    const { contextLength } = this.#options;
    const tooLong = lengths.findIndex((length) => length >= contextLength);
    if (tooLong >= 0)
      throw overflowError(
        'the query and the document have',
        lengths[tooLong] ?? 0,
        contextLength,
        `documents.${tooLong}`,
      );
    const scores: number[] = [];
    for (const document of documents) {
      signal.throwIfAborted();
      scores.push(await context.rank(query, document));
    }
    return { scores, promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
  }

  #tokensOf(
    item: string | readonly number[],
    index: number,
    overflow: 'error' | 'truncate',
  ): readonly number[] {
    const { vocabulary, contextLength } = this.#options;
    const tokens = vocabulary.orStart(
      typeof item === 'string'
        ? vocabulary.tokenize(item, { parseSpecial: false })
        : vocabulary.checked(item),
    );
    // The binding adds up to two tokens of its own, at the beginning and at the end.
    const limit = contextLength - 2;
    if (tokens.length <= limit) return tokens;
    if (overflow === 'truncate') return tokens.slice(0, limit);
    throw overflowError('the input has', tokens.length, contextLength, `input.${index}`);
  }

  #openEmbedding(): Promise<LlamaEmbeddingContext> {
    const { model, contextLength, threads } = this.#options;
    this.#embedding ??= model
      .createEmbeddingContext({ contextSize: contextLength, threads })
      .catch((error: unknown) => {
        this.#embedding = undefined;
        throw new GenerationError('unsupported', 'this model cannot make embeddings', { cause: error });
      });
    return this.#embedding;
  }

  #openRanking(): Promise<LlamaRankingContext> {
    const { model, contextLength, threads } = this.#options;
    this.#ranking ??= model
      .createRankingContext({ contextSize: contextLength, batchSize: contextLength, threads })
      .catch((error: unknown) => {
        this.#ranking = undefined;
        throw new GenerationError('unsupported', 'this model cannot rank documents', { cause: error });
      });
    return this.#ranking;
  }
}

function overflowError(
  subject: string,
  promptTokens: number,
  contextLength: number,
  param: string,
): GenerationError {
  return new GenerationError(
    'context-overflow',
    `${subject} ${promptTokens} tokens, more than the context of ${contextLength}`,
    { param, facts: { promptTokens, contextLength } },
  );
}
