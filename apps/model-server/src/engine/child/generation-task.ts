import type { LlamaGrammarEvaluationState } from 'node-llama-cpp';
import type { FinishReason } from '../../generation/finish-reason.js';
import type { FinishEvent, GenerationEvent } from '../../generation/generation-event.js';
import type { GenerationTaskRequest } from '../ipc/parent-message.js';
import type { OutputPipeline } from './output-pipeline.js';
import { TextAssembler } from './text-assembler.js';
import type { SampledToken, TokenSource } from './token-source.js';
import type { Vocabulary } from './vocabulary.js';

/** A reader that leaves this many events unread is waited for. */
const unreadLimit = 512;

export interface GenerationTaskOptions {
  readonly id: number;
  readonly request: GenerationTaskRequest;
  readonly prompt: readonly number[];
  readonly pipeline: OutputPipeline;
  readonly vocabulary: Vocabulary;
  readonly contextLength: number;
  /** Holds the sampler to the requested format; undefined while nothing is asked of it. */
  readonly grammar?: LlamaGrammarEvaluationState | undefined;
  /** The grammar holds only once the thought is over. */
  readonly grammarAfterThought: boolean;
  readonly thoughtEnd: readonly number[];
  readonly emit: (event: GenerationEvent) => void;
}

/** One request on its way through the loop: what is left of its prompt, what it has said, when it is done. */
export class GenerationTask {
  readonly id: number;
  readonly request: GenerationTaskRequest;
  readonly prompt: readonly number[];
  readonly output: number[] = [];
  readonly #options: GenerationTaskOptions;
  readonly #assembler: TextAssembler;
  readonly #queuedAt = performance.now();
  source: TokenSource | undefined;
  cancelled = false;
  #evaluated = 0;
  #cached = 0;
  #unread = 0;
  #reasoningTokens = 0;
  #startedAt = 0;
  #firstTokenAt = 0;
  #unevaluated: number[] = [];
  #stalledSince: number | undefined;
  #grammarHolds: boolean;

  constructor(options: GenerationTaskOptions) {
    this.id = options.id;
    this.request = options.request;
    this.prompt = options.prompt;
    this.#options = options;
    this.#grammarHolds = !options.grammarAfterThought;
    this.#assembler = new TextAssembler(options.vocabulary.detokenize, options.prompt.slice(-4));
  }

  get isDecoding(): boolean {
    return this.#evaluated >= this.prompt.length;
  }

  get promptTokensLeft(): number {
    return this.prompt.length - this.#evaluated;
  }

  get cachedTokens(): number {
    return this.#cached;
  }

  /** What the next step evaluates: the latest token, and what was put after it. */
  get unevaluated(): readonly number[] {
    return this.#unevaluated;
  }

  get isConstrained(): boolean {
    return this.#options.grammar !== undefined;
  }

  /** The grammar for the next token. */
  readonly grammar = (): LlamaGrammarEvaluationState | undefined =>
    this.#grammarHolds ? this.#options.grammar : undefined;

  get isStalled(): boolean {
    return this.#unread >= unreadLimit;
  }

  /** Whether the last prompt token is computed alone, as in a warm sequence: then cold and warm draw the same tokens. */
  get wantsExactRepeat(): boolean {
    return this.request.sampling.seed !== undefined || this.request.sampling.temperature === 0;
  }

  /** Since when the reader has been waited for. */
  get stalledSince(): number | undefined {
    return this.#stalledSince;
  }

  markRead(count: number): void {
    this.#unread = Math.max(0, this.#unread - count);
    if (!this.isStalled) this.#stalledSince = undefined;
  }

  begin(cachedTokens: number): void {
    this.#cached = cachedTokens;
    this.#evaluated = cachedTokens;
    this.#startedAt = performance.now();
    this.emit({
      type: 'start',
      promptTokens: this.prompt.length,
      cachedTokens,
      loadDurationMs: 0,
      queueDurationMs: this.#startedAt - this.#queuedAt,
    });
  }

  /** The next part of the prompt, at most `count` tokens. */
  peekPrompt(count: number): readonly number[] {
    return this.prompt.slice(this.#evaluated, this.#evaluated + count);
  }

  markEvaluated(count: number): void {
    this.#evaluated += count;
    if (this.isDecoding || count === 0) return;
    this.emit({
      type: 'prompt-progress',
      processedTokens: this.#evaluated,
      totalTokens: this.prompt.length,
    });
  }

  /** Takes one sampled token in. Returns why the reply ends here, if it does. */
  accept(sampled: SampledToken): FinishReason | undefined {
    if (this.#firstTokenAt === 0) this.#firstTokenAt = performance.now();
    const { pipeline, vocabulary, contextLength } = this.#options;
    if (vocabulary.isEnd(sampled.token)) return this.#ended();
    this.#unevaluated = [sampled.token];
    this.#take(sampled);
    const { budgetTokens } = this.request.thinking;
    if (
      pipeline.state === 'thinking' &&
      budgetTokens !== undefined &&
      this.#reasoningTokens >= budgetTokens
    ) {
      this.#endThought();
    }
    if (pipeline.state !== 'thinking') this.#grammarHolds = true;
    if (pipeline.matched !== undefined) return { kind: 'stop-string', matched: pipeline.matched };
    if (this.output.length >= (this.request.maxTokens ?? Number.POSITIVE_INFINITY)) {
      return this.#flush() ?? { kind: 'max-tokens' };
    }
    if (this.prompt.length + this.output.length >= contextLength)
      return this.#flush() ?? { kind: 'context-full' };
    return undefined;
  }

  finish(reason: FinishReason): void {
    const now = performance.now();
    const firstTokenAt = this.#firstTokenAt || now;
    const event: FinishEvent = {
      type: 'finish',
      reason,
      usage: {
        promptTokens: this.prompt.length,
        cachedTokens: this.#cached,
        outputTokens: this.output.length,
        reasoningTokens: this.#reasoningTokens,
      },
      durations: {
        totalMs: now - this.#queuedAt,
        queueMs: this.#startedAt - this.#queuedAt,
        loadMs: 0,
        promptMs: firstTokenAt - this.#startedAt,
        outputMs: now - firstTokenAt,
      },
      ...(this.request.wantContextTokens ? { contextTokens: [...this.prompt, ...this.output] } : {}),
    };
    this.emit(event);
  }

  #take(sampled: SampledToken): void {
    const { pipeline, vocabulary } = this.#options;
    this.output.push(sampled.token);
    const logprob = this.request.topLogprobs === undefined ? undefined : vocabulary.describe(sampled);
    const events = pipeline.push(this.#assembler.push(sampled.token), logprob);
    if (pipeline.state === 'thinking') this.#reasoningTokens += 1;
    for (const event of events) this.emit(event);
  }

  /** The budget for thinking is used up: the model finds its thought ended and goes on with the answer. */
  #endThought(): void {
    for (const token of this.#options.thoughtEnd) {
      this.#unevaluated.push(token);
      this.#take({ token });
    }
  }

  private emit(event: GenerationEvent): void {
    this.#unread += 1;
    if (this.isStalled) this.#stalledSince ??= performance.now();
    this.#options.emit(event);
  }

  #ended(): FinishReason {
    return this.#flush() ?? { kind: this.#options.pipeline.toolCallCount > 0 ? 'tool-calls' : 'end' };
  }

  /** Lets go of what was held back; the last bytes may still complete a stop string. */
  #flush(): FinishReason | undefined {
    const { pipeline } = this.#options;
    const events = [...pipeline.push(this.#assembler.finish(), undefined), ...pipeline.finish()];
    for (const event of events) this.emit(event);
    return pipeline.matched === undefined ? undefined : { kind: 'stop-string', matched: pipeline.matched };
  }
}
