import type { EvaluationPriority, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { SlotView } from './choose-slot.js';
import type { GenerationTask } from './generation-task.js';

/** One sequence of the context with the request that uses it. It stays warm after that request has gone. */
export class Slot implements SlotView {
  readonly index: number;
  readonly sequence: LlamaContextSequence;
  task: GenerationTask | undefined;
  tokens: readonly number[] = [];
  cacheKey: string | undefined;
  lastUsed = 0;

  constructor(index: number, sequence: LlamaContextSequence) {
    this.index = index;
    this.sequence = sequence;
  }

  get busy(): boolean {
    return this.task !== undefined;
  }

  /** Carries the place in the batch: the context's own ordering reads it (see batch-order.ts). */
  get priority(): EvaluationPriority {
    return (this.index + 1) as EvaluationPriority;
  }

  /** Keeps the first `commonTokens` of the prompt if the sequence holds them; the last token is always computed anew. */
  async take(task: GenerationTask, commonTokens: number): Promise<void> {
    this.task = task;
    this.cacheKey = task.request.cacheKey;
    const reusable = Math.min(commonTokens, task.prompt.length - 1);
    await this.sequence.adaptStateToTokens(task.prompt.slice(0, reusable) as Token[], false);
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
    this.tokens = this.sequence.contextTokens;
    this.lastUsed = performance.now();
  }

  /** After a failed step nobody knows what the sequence holds. */
  async forget(): Promise<void> {
    await this.sequence.clearHistory();
    this.tokens = [];
  }
}
