import type { EvaluationPriority, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { SlotView } from './choose-slot.js';
import { canCopy, copySequence } from './copy-sequence.js';
import type { GenerationTask } from './generation-task.js';
import type { PrefixHolder } from './shared-prefix.js';

/** A copy moves the whole memory of a sequence, whatever the length of the prefix: below this share it costs more. */
const leastShareToCopy = 1 / 32;
const leastTokensToCopy = 64;

/** One sequence of the context with the request that uses it. It stays warm after that request has gone. */
export class Slot implements SlotView, PrefixHolder {
  readonly index: number;
  readonly sequence: LlamaContextSequence;
  task: GenerationTask | undefined;
  #warmTokens: readonly number[] = [];
  cacheKey: string | undefined;
  lastUsed = 0;

  constructor(index: number, sequence: LlamaContextSequence) {
    this.index = index;
    this.sequence = sequence;
  }

  get busy(): boolean {
    return this.task !== undefined;
  }

  get tokens(): readonly number[] {
    return this.busy ? this.sequence.contextTokens : this.#warmTokens;
  }

  get coming(): readonly number[] {
    const { task } = this;
    return task && !task.isDecoding && !task.isStalled && !task.cancelled ? task.prompt : [];
  }

  /** How many tokens a copy of another sequence must spare. */
  get leastGainByCopy(): number {
    if (!canCopy(this.sequence)) return Number.POSITIVE_INFINITY;
    return Math.max(leastTokensToCopy, this.sequence.contextSize * leastShareToCopy);
  }

  /** Carries the place in the batch: the context's own ordering reads it (see batch-order.ts). */
  get priority(): EvaluationPriority {
    return (this.index + 1) as EvaluationPriority;
  }

  /**
   * Keeps the first `commonTokens` of the prompt that the sequence holds, or takes them over from another sequence; the
   * last token is always computed anew.
   */
  async take(task: GenerationTask, commonTokens: number, source?: Slot): Promise<void> {
    this.task = task;
    this.cacheKey = task.request.cacheKey;
    const reusable = Math.min(commonTokens, task.prompt.length - 1);
    if (source) await copySequence(this.sequence, source.sequence, reusable);
    else await this.sequence.adaptStateToTokens(task.prompt.slice(0, reusable) as Token[], false);
    task.begin(this.sequence.nextTokenIndex);
  }

  async evaluate(tokens: readonly number[]): Promise<void> {
    await this.sequence.evaluateWithoutGeneratingNewTokens(tokens as Token[], {
      evaluationPriority: this.priority,
    });
  }

  /** Models with a sliding window or a recurrent state cannot go back to a prefix unless it was noted down. */
  async keepPrompt(): Promise<void> {
    if (this.sequence.needsCheckpoints) await this.sequence.takeCheckpoint();
  }

  release(): void {
    this.task?.source?.close();
    this.task = undefined;
    this.#warmTokens = this.sequence.contextTokens;
    this.lastUsed = performance.now();
  }

  /** After a failed step nobody knows what the sequence holds. */
  async forget(): Promise<void> {
    await this.sequence.clearHistory();
    this.#warmTokens = [];
  }
}
