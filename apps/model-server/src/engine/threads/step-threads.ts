import { ThreadTuner } from './thread-tuner.js';

export interface Step {
  readonly streams: number;
  readonly promptTokens: number;
}

/** Fewer prompt tokens than this do not change how a step behaves. */
const fewPromptTokens = 32;

/** A slice of a prompt with half the threads takes long: one look at the start, then only where slices get slow. */
const readingHabits = { trialSteps: 1, calmSteps: 4800, waitSteps: 4 };
const writingHabits = { trialSteps: 4, calmSteps: 150, waitSteps: 24 };

/** The thread count of each step. Reading prompts is bound by arithmetic, writing by memory: each has its own best count. */
export class StepThreads {
  readonly #reading: ThreadTuner;
  readonly #writing: ThreadTuner;

  constructor(granted: number) {
    this.#reading = new ThreadTuner(granted, readingHabits);
    this.#writing = new ThreadTuner(granted, writingHabits);
  }

  grant(threads: number): void {
    this.#reading.grant(threads);
    this.#writing.grant(threads);
  }

  next(step: Step): number {
    return this.#tunerFor(step).next();
  }

  record(step: Step, threads: number, ms: number): void {
    if (step.promptTokens >= fewPromptTokens) {
      this.#reading.record({ threads, streams: 0, ms: ms / (step.promptTokens + step.streams) });
    } else if (step.promptTokens === 0) {
      this.#writing.record({ threads, streams: step.streams, ms });
    }
  }

  #tunerFor({ promptTokens }: Step): ThreadTuner {
    return promptTokens >= fewPromptTokens ? this.#reading : this.#writing;
  }
}
