export interface StepRecord {
  readonly threads: number;
  readonly streams: number;
  readonly promptTokens: number;
  readonly ms: number;
}

/** How many steps one count is measured for, and how many steps pass before the next measurement. */
const trialSteps = 4;
const stepsBetweenTrials = 150;
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
  #trial: { readonly threads: number; readonly samples: number[] } | undefined;
  #samples: number[] = [];
  #usualMs: number | undefined;
  #shape = '';
  #slowSteps = 0;
  #stepsSinceTrial = 0;
  #nextTrialDown = true;

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
    this.#forget();
  }

  next(): number {
    return this.#trial?.threads ?? this.#current;
  }

  record(step: StepRecord): void {
    // Only steps of pure decoding are alike enough to be compared.
    if (step.promptTokens > 0 || step.threads !== this.next()) return;
    const shape = String(step.streams);
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#forget();
    }
    if (this.#trial) this.#recordTrial(this.#trial, step.ms);
    else this.#recordUsual(step.ms);
  }

  #recordUsual(ms: number): void {
    if (this.#usualMs !== undefined && ms > this.#usualMs * slowFactor) {
      this.#slowSteps += 1;
      if (this.#slowSteps >= slowStepsToYield && this.#current > 1) this.#yieldCores();
      return;
    }
    this.#slowSteps = 0;
    this.#samples = [...this.#samples.slice(-(trialSteps * 2 - 1)), ms];
    this.#usualMs = median(this.#samples);
    this.#stepsSinceTrial += 1;
    const isFirst = this.#samples.length === trialSteps && this.#stepsSinceTrial === trialSteps;
    if (isFirst || this.#stepsSinceTrial >= stepsBetweenTrials) this.#startTrial();
  }

  #yieldCores(): void {
    this.#current = Math.max(1, Math.floor(this.#current / 2));
    this.#forget();
    // Steps just got slow: more threads are tried only after a while.
    this.#stepsSinceTrial = trialSteps + 1;
    this.#nextTrialDown = false;
  }

  #startTrial(): void {
    this.#stepsSinceTrial = trialSteps + 1;
    const down = Math.max(1, this.#current - Math.max(1, Math.floor(this.#current / 4)));
    const up = Math.min(this.#granted, this.#current + Math.max(1, Math.floor(this.#current / 4)));
    let threads = this.#nextTrialDown ? down : up;
    this.#nextTrialDown = !this.#nextTrialDown;
    if (threads === this.#current) threads = threads === down ? up : down;
    if (threads !== this.#current) this.#trial = { threads, samples: [] };
  }

  #recordTrial(trial: { readonly threads: number; readonly samples: number[] }, ms: number): void {
    trial.samples.push(ms);
    const usual = this.#usualMs ?? ms;
    const hopeless = ms > usual * slowFactor;
    if (!hopeless && trial.samples.length < trialSteps) return;
    this.#trial = undefined;
    if (!hopeless && median(trial.samples) < usual * clearlyBetter) {
      this.#current = trial.threads;
      this.#samples = [...trial.samples];
      this.#usualMs = median(trial.samples);
      // One step in a good direction: look further soon.
      this.#stepsSinceTrial = stepsBetweenTrials - trialSteps;
      this.#nextTrialDown = trial.threads < this.#granted ? this.#nextTrialDown : true;
    }
  }

  #forget(): void {
    this.#trial = undefined;
    this.#samples = [];
    this.#usualMs = undefined;
    this.#slowSteps = 0;
    this.#stepsSinceTrial = 0;
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
