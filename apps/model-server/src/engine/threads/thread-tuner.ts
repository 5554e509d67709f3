export interface StepRecord {
  readonly threads: number;
  /** Only steps with the same number of streams are alike enough to be compared. */
  readonly streams: number;
  readonly ms: number;
}

interface Trial {
  readonly threads: number;
  readonly samples: number[];
}

/** How many steps one count is measured for. */
const trialSteps = 4;
/** How many steps pass before the next count is tried; longer each time when trying did harm. */
const usualPause = 150;
const longestPause = 4800;
/** A step this many times slower than usual says that somebody else wants the cores. */
const slowFactor = 2.5;
const slowStepsToYield = 2;
/** A neighbour must be clearly better, or noise would make the count wander. */
const clearlyBetter = 0.95;

/**
 * Finds the fastest number of threads while the engine works. llama.cpp's threads spin at barriers, so one too many on
 * a busy machine costs a factor: when steps suddenly take much longer, it takes fewer at once, and tries more later.
 */
export class ThreadTuner {
  #granted: number;
  #current: number;
  #trial: Trial | undefined;
  #direction: 1 | -1 = -1;
  #samples: number[] = [];
  #usualMs: number | undefined;
  #streams = 0;
  #slowSteps = 0;
  #stepsToTrial = trialSteps;
  #pause = usualPause;

  constructor(granted: number) {
    this.#granted = Math.max(1, granted);
    this.#current = this.#granted;
  }

  /** The share of the machine's cores that this engine may use from now on. */
  grant(threads: number): void {
    const granted = Math.max(1, threads);
    if (granted === this.#granted) return;
    const usedAll = this.#current === this.#granted;
    this.#granted = granted;
    this.#current = usedAll ? granted : Math.min(this.#current, granted);
    this.#stepsToTrial = Math.min(this.#stepsToTrial, trialSteps * 4);
    this.#measureAnew();
  }

  next(): number {
    return this.#trial?.threads ?? this.#current;
  }

  record(step: StepRecord): void {
    if (step.threads !== this.next()) return;
    if (step.streams !== this.#streams) {
      this.#streams = step.streams;
      this.#measureAnew();
      return;
    }
    if (this.#trial) this.#recordTrial(this.#trial, step.ms);
    else this.#recordUsual(step.ms);
  }

  #recordUsual(ms: number): void {
    if (this.#usualMs !== undefined && ms > this.#usualMs * slowFactor && this.#current > 1) {
      this.#slowSteps += 1;
      if (this.#slowSteps >= slowStepsToYield) this.#yieldCores();
      return;
    }
    this.#slowSteps = 0;
    this.#samples = [...this.#samples.slice(1 - trialSteps * 2), ms];
    this.#usualMs = median(this.#samples);
    this.#stepsToTrial -= 1;
    if (this.#stepsToTrial <= 0 && this.#samples.length >= trialSteps) this.#startTrial();
  }

  #yieldCores(): void {
    this.#current = Math.max(1, Math.floor(this.#current / 2));
    this.#measureAnew();
    this.#direction = 1;
    this.#stepsToTrial = this.#pause;
  }

  #startTrial(): void {
    this.#stepsToTrial = this.#pause;
    const stride = Math.max(1, Math.floor(this.#current / 4));
    for (const direction of [this.#direction, -this.#direction as 1 | -1]) {
      const threads = Math.min(this.#granted, Math.max(1, this.#current + direction * stride));
      if (threads === this.#current) continue;
      this.#direction = direction;
      this.#trial = { threads, samples: [] };
      return;
    }
  }

  #recordTrial(trial: Trial, ms: number): void {
    trial.samples.push(ms);
    const usual = this.#usualMs ?? ms;
    const doesHarm = ms > usual * slowFactor;
    if (!doesHarm && trial.samples.length < trialSteps) return;
    this.#trial = undefined;
    if (!doesHarm && median(trial.samples) < usual * clearlyBetter) {
      this.#current = trial.threads;
      this.#samples = [...trial.samples];
      this.#usualMs = median(trial.samples);
      this.#pause = usualPause;
      // A step in a good direction: look further soon, unless this was the last one.
      const isLast = trial.threads === (this.#direction > 0 ? this.#granted : 1);
      this.#stepsToTrial = isLast ? usualPause : trialSteps;
      return;
    }
    if (doesHarm) this.#pause = Math.min(longestPause, this.#pause * 2);
    this.#direction = -this.#direction as 1 | -1;
    this.#stepsToTrial = this.#pause;
  }

  #measureAnew(): void {
    this.#trial = undefined;
    this.#samples = [];
    this.#usualMs = undefined;
    this.#slowSteps = 0;
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
