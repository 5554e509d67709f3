import { GenerationError } from '../../generation/generation-error.js';
import { toWireError } from '../ipc/wire-error.js';
import type { StepThreads } from '../threads/step-threads.js';
import { chooseSlot } from './choose-slot.js';
import type { EventOutbox } from './event-outbox.js';
import type { GenerationTask } from './generation-task.js';
import { PrefillBudget, shareBudget } from './prefill-budget.js';
import { isPrefixComing, prefixWorthCopying } from './shared-prefix.js';
import type { Slot } from './slot.js';
import type { SampledToken, TokenSource } from './token-source.js';

export interface GenerationLoopOptions {
  readonly slots: readonly Slot[];
  readonly batchSize: number;
  readonly outbox: EventOutbox;
  readonly threads: StepThreads;
  readonly createSource: (slot: Slot, task: GenerationTask) => TokenSource;
  readonly setThreads: (count: number) => void;
  /** How long a reply that nobody reads may keep its place while others wait for one. */
  readonly unreadReplyMs: number;
}

const stalledCheckMs = 1000;

type StepResult =
  | { readonly slot: Slot; readonly task: GenerationTask; readonly error: unknown }
  | {
      readonly slot: Slot;
      readonly task: GenerationTask;
      readonly evaluated: number;
      readonly sampled?: SampledToken;
    };

/**
 * Continuous batching in lockstep: each step gives every busy sequence its next token (or its next slice of prompt) in
 * the same tick, so that all of them are computed as one batch. Requests join, end and are cancelled between steps.
 */
export class GenerationLoop {
  readonly #options: GenerationLoopOptions;
  readonly #waiting: GenerationTask[] = [];
  readonly #budget: PrefillBudget;
  readonly #leastGainByCopy: number;
  #running = false;
  readonly totals = {
    steps: 0,
    batchedTokens: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    threads: 0,
  };

  constructor(options: GenerationLoopOptions) {
    this.#options = options;
    this.#budget = new PrefillBudget(options.batchSize);
    this.#leastGainByCopy = options.slots[0]?.leastGainByCopy ?? Number.POSITIVE_INFINITY;
  }

  add(task: GenerationTask): void {
    this.#waiting.push(task);
    this.wake();
  }

  cancel(id: number): void {
    const position = this.#waiting.findIndex((task) => task.id === id);
    if (position >= 0) this.#waiting.splice(position, 1);
    const slot = this.#options.slots.find((candidate) => candidate.task?.id === id);
    if (slot?.task) slot.task.cancelled = true;
    this.wake();
  }

  markRead(id: number, count: number): void {
    const slot = this.#options.slots.find((candidate) => candidate.task?.id === id);
    slot?.task?.markRead(count);
    this.wake();
  }

  wake(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        this.#dropCancelled();
        await this.#dropStalled();
        await this.#admit();
        const worked = await this.#step();
        if (worked && this.#hasWork()) this.#options.outbox.flushSoon();
        else this.#options.outbox.flush();
        if (!worked) {
          // Somebody waits behind readers that do not read: look again whether one of them has had its time.
          if (this.#waiting.length > 0) setTimeout(() => this.wake(), stalledCheckMs).unref();
          return;
        }
      }
    } finally {
      this.#running = false;
    }
  }

  #hasWork(): boolean {
    return this.#waiting.length > 0 || this.#options.slots.some((slot) => slot.task && !slot.task.isStalled);
  }

  #dropCancelled(): void {
    for (const slot of this.#options.slots) if (slot.task?.cancelled) slot.release();
  }

  /** A reader that does not read may keep its sequence, but not for ever while others wait for one. */
  async #dropStalled(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const latest = performance.now() - this.#options.unreadReplyMs;
    for (const slot of this.#options.slots) {
      const { task } = slot;
      if (!task || (task.stalledSince ?? Number.POSITIVE_INFINITY) > latest) continue;
      await this.#fail(slot, task, new GenerationError('cancelled', 'the reply was not read for too long'));
    }
  }

  /** First come, first served; only who waits for a prefix that is on its way lets others pass, his place kept. */
  async #admit(): Promise<void> {
    const { slots } = this.#options;
    let keptPlaces = 0;
    for (const task of [...this.#waiting]) {
      if (slots.filter((slot) => !slot.busy).length <= keptPlaces) return;
      if (!this.#waiting.includes(task)) continue;
      if (isPrefixComing(slots, task.prompt, this.#leastGainByCopy)) keptPlaces += 1;
      else await this.#start(task);
    }
  }

  async #start(task: GenerationTask): Promise<void> {
    const { slots } = this.#options;
    const choice = chooseSlot(slots, task.prompt, task.request.cacheKey);
    const slot = choice && slots[choice.index];
    if (!slot) return;
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    try {
      const source = prefixWorthCopying(slots, task.prompt, {
        alreadyThere: choice.commonTokens,
        leastGain: this.#leastGainByCopy,
      });
      await slot.take(task, source?.commonTokens ?? choice.commonTokens, source?.holder);
      task.source = this.#options.createSource(slot, task);
      this.totals.promptTokens += task.prompt.length;
      this.totals.cachedTokens += task.cachedTokens;
    } catch (error) {
      await this.#fail(slot, task, error);
    }
  }

  async #step(): Promise<boolean> {
    const active = this.#options.slots.filter((slot) => slot.task && !slot.task.isStalled);
    if (active.length === 0) return false;
    const reading = active.filter((slot) => !slot.task?.isDecoding);
    const streams = active.length - reading.length;
    const shares = shareBudget(
      this.#budget.tokensFor(streams),
      reading.map((slot) => slot.task?.promptTokensLeft ?? 0),
    );
    const promptTokens = shares.reduce((sum, share) => sum + share, 0);
    const shape = { streams, promptTokens };
    const threads = this.#options.threads.next(shape);
    this.#options.setThreads(threads);
    const startedAt = performance.now();
    const results = await Promise.all(
      active.map((slot) =>
        this.#advance(slot, slot.task as GenerationTask, shares[reading.indexOf(slot)] ?? 0),
      ),
    );
    const ms = performance.now() - startedAt;
    this.#budget.record(promptTokens, ms);
    this.#options.threads.record(shape, threads, ms);
    this.totals.steps += 1;
    this.totals.batchedTokens += streams + promptTokens;
    this.totals.threads = threads;
    for (const result of results) await this.#settle(result);
    return true;
  }

  /** One step of one request. All are started in the same tick, in ascending order of their sequences. */
  async #advance(slot: Slot, task: GenerationTask, share: number): Promise<StepResult> {
    try {
      if (task.isDecoding) {
        const sampled = await task.source?.next(task.unevaluated);
        return { slot, task, evaluated: 0, ...(sampled ? { sampled } : {}) };
      }
      const onlyPrefill = task.request.maxTokens === 0;
      const samplesNow =
        !onlyPrefill && share >= task.promptTokensLeft && (share === 1 || !task.wantsExactRepeat);
      const keepsLast = !samplesNow && !onlyPrefill;
      const tokens = task.peekPrompt(Math.min(share, task.promptTokensLeft - (keepsLast ? 1 : 0)));
      if (tokens.length === 0) return { slot, task, evaluated: 0 };
      if (samplesNow) {
        const sampled = await task.source?.next(tokens);
        return { slot, task, evaluated: tokens.length, ...(sampled ? { sampled } : {}) };
      }
      await slot.evaluate(tokens);
      return { slot, task, evaluated: tokens.length };
    } catch (error) {
      return { slot, task, error };
    }
  }

  async #settle(result: StepResult): Promise<void> {
    const { slot, task } = result;
    if ('error' in result) return await this.#fail(slot, task, result.error);
    if (task.cancelled) return;
    task.markEvaluated(result.evaluated);
    try {
      if (result.evaluated > 0 && task.isDecoding) await slot.keepPrompt();
      if (result.sampled) {
        this.totals.outputTokens += 1;
        const reason = task.accept(result.sampled);
        if (reason) this.#finish(slot, () => task.finish(reason));
      } else if (task.isDecoding) {
        this.#finish(slot, () => task.finish({ kind: 'max-tokens' }));
      }
    } catch (error) {
      await this.#fail(slot, task, error);
    }
  }

  #finish(slot: Slot, tell: () => void): void {
    // The sequence is free before the reply ends, so that the caller's next request finds it.
    slot.release();
    tell();
  }

  async #fail(slot: Slot, task: GenerationTask, error: unknown): Promise<void> {
    if (!task.cancelled) this.#options.outbox.fail(task.id, toWireError(error));
    slot.release();
    await slot.forget().catch(() => undefined);
  }
}
