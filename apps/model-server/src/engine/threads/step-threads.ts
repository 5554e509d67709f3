import { ThreadTuner, type TunerHabits } from './thread-tuner.js';

export interface Step {
  readonly streams: number;
  readonly promptTokens: number;
}

/** Fewer prompt tokens than this do not change how a step behaves. */
const fewPromptTokens = 32;
/** The first steps after a load wait for the disk and say nothing about threads. */
const stepsToWarmUp = 3;

/** A slice of a prompt with fewer threads takes long, and is harmed least by a busy machine: no trial without a reason. */
const readingHabits: TunerHabits = {
  trialSteps: 2,
  firstLookSteps: Number.POSITIVE_INFINITY,
  calmSteps: Number.POSITIVE_INFINITY,
  waitSteps: 4,
};
const writingHabits: TunerHabits = { trialSteps: 4, firstLookSteps: 4, calmSteps: 150, waitSteps: 24 };

/**
 * The thread count of each step. Reading prompts is bound by arithmetic, writing one stream by memory, writing many by
 * both: each has its own best count.
 */
export class StepThreads {
  readonly #tuners = new Map<string, ThreadTuner>();
  #granted: number;
  #steps = 0;

  constructor(granted: number) {
    this.#granted = granted;
  }

  grant(threads: number): void {
    this.#granted = threads;
    for (const tuner of this.#tuners.values()) tuner.grant(threads);
  }

  next(step: Step): number {
    return this.#tunerFor(step).next();
  }

  record(step: Step, threads: number, ms: number): void {
    this.#steps += 1;
    if (this.#steps <= stepsToWarmUp) return;
    const tuner = this.#tunerFor(step);
    if (step.promptTokens >= fewPromptTokens) {
      tuner.record({ threads, streams: 0, ms: ms / (step.promptTokens + step.streams) });
    } else if (step.promptTokens === 0) {
      tuner.record({ threads, streams: step.streams, ms });
    }
  }

  #tunerFor({ promptTokens, streams }: Step): ThreadTuner {
    const reads = promptTokens >= fewPromptTokens;
    // Steps of 5 to 8 streams are alike, those of 9 to 16 again.
    const kind = reads ? 'reading' : `writing ${Math.ceil(Math.log2(Math.max(1, streams)))}`;
    const known = this.#tuners.get(kind);
    if (known) return known;
    const tuner = new ThreadTuner(this.#granted, reads ? readingHabits : writingHabits);
    this.#tuners.set(kind, tuner);
    return tuner;
  }
}
