export interface StepRecord {
  readonly threads: number;
  /** Only steps with the same number of streams are alike enough to be compared. */
  readonly streams: number;
  readonly ms: number;
}

export interface TunerHabits {
  /** How many steps one count is measured for. */
  readonly trialSteps: number;
  /** How many steps pass before the first trial: nobody knows at the start whether the machine is busy. */
  readonly firstLookSteps: number;
  /** How many steps pass before fewer threads are tried although all is well; longer when that did not help. */
  readonly calmSteps: number;
  /** How many steps pass before more threads are tried again; longer each time when that did harm. */
  readonly waitSteps: number;
}

interface Trial {
  readonly threads: number;
  readonly samples: number[];
}

/** What is known of steps with one number of streams since the count was chosen. */
interface Knowledge {
  /** The fastest the latest steps have ever been together. */
  best?: number;
  /** What a step took with fewer threads when that was last tried. */
  withFewer?: number;
}

/** The machine is tried this often at least, unless a trial itself costs too much. */
const longestWait = 600;
const longestCalm = 4800;
/** The latest steps, by which the present count is judged. */
const windowSteps = 8;
/** Twice in a row, a step this many times slower than usual says that somebody else has the cores. */
const ruinFactor = 6;
/** A trial step this many times slower than usual is the last one of its trial. */
const harmFactor = 2.5;
/** A neighbour must be clearly better, or noise would make the count wander. */
const clearlyBetter = 0.95;

/** What a trial may cost: a step lost in this many. */
const stepsForOneOfLoss = 20;
/** Slower than the best by less than this is no reason to look for another count. */
const slowFactor = 1.5;
/** Threads never scale fully: where nothing is known, fewer are thought to be this much better than their share. */
const lostInScaling = 0.8;

/**
 * Finds the fastest number of threads while the engine works. llama.cpp's threads spin at barriers, so one too many on
 * a busy machine costs a factor: it takes fewer when steps say so, and soon tries more again. A slow step now and
 * then says nothing: what counts is how long the latest steps took together.
 */
export class ThreadTuner {
  readonly #habits: TunerHabits;
  readonly #known = new Map<number, Knowledge>();
  #granted: number;
  #current: number;
  #streams = 0;
  #window: number[] = [];
  #ruinedSteps = 0;
  #trial: Trial | undefined;
  #direction: 1 | -1 = -1;
  #stepsToTrial: number;
  /** Pauses before the next trial, upwards and downwards. */
  #wait: number;
  #calm: number;

  constructor(granted: number, habits: TunerHabits) {
    this.#habits = habits;
    this.#calm = habits.calmSteps;
    this.#wait = habits.waitSteps;
    this.#granted = Math.max(1, granted);
    this.#current = this.#granted;
    this.#stepsToTrial = habits.firstLookSteps;
  }

  /** The share of the machine's cores that this engine may use from now on. */
  grant(threads: number): void {
    const granted = Math.max(1, threads);
    if (granted === this.#granted) return;
    const usedAll = this.#current === this.#granted;
    this.#granted = granted;
    this.#use(usedAll ? granted : Math.min(this.#current, granted));
    this.#stepsToTrial = Math.min(this.#stepsToTrial, this.#habits.waitSteps);
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
    const usual = median(this.#window);
    this.#window = [...this.#window.slice(1 - windowSteps), ms];
    this.#ruinedSteps = usual !== undefined && ms > usual * ruinFactor ? this.#ruinedSteps + 1 : 0;
    this.#stepsToTrial -= 1;
    if (this.#ruinedSteps >= 2 && this.#current > 1) this.#yieldCores();
    else if (this.#isSlow()) this.#startTrial(-1);
    else if (this.#stepsToTrial <= 0 && this.#window.length >= this.#habits.trialSteps) {
      this.#startTrial(this.#direction);
    }
  }

  /** Whether fewer threads might well do better than the latest steps did. */
  #isSlow(): boolean {
    if (this.#window.length < windowSteps || this.#current === 1) return false;
    const known = this.#knowledge();
    const ms = steady(this.#window);
    known.best = Math.min(known.best ?? ms, ms);
    const guess = (known.best * this.#current * lostInScaling) / this.#neighbour(-1);
    return ms > Math.max(known.withFewer ?? guess, known.best * slowFactor);
  }

  #yieldCores(): void {
    this.#use(Math.max(1, Math.floor(this.#current / 2)));
    this.#direction = 1;
    this.#stepsToTrial = this.#wait;
  }

  #neighbour(direction: 1 | -1): number {
    const stride = Math.max(1, Math.floor(this.#current / 4));
    return Math.min(this.#granted, Math.max(1, this.#current + direction * stride));
  }

  #startTrial(wanted: 1 | -1): void {
    this.#direction = this.#possible(wanted);
    this.#stepsToTrial = this.#pause();
    const threads = this.#neighbour(this.#direction);
    if (threads !== this.#current) this.#trial = { threads, samples: [] };
  }

  #recordTrial(trial: Trial, ms: number): void {
    trial.samples.push(ms);
    const usual = steady(this.#window);
    const doesHarm = ms > usual * harmFactor;
    if (!doesHarm && trial.samples.length < this.#habits.trialSteps) return;
    this.#trial = undefined;
    if (!doesHarm && steady(trial.samples) < usual * clearlyBetter) this.#adopt(trial);
    else this.#reject(trial);
  }

  #adopt(trial: Trial): void {
    this.#use(trial.threads);
    this.#window = [...trial.samples];
    this.#wait = this.#habits.waitSteps;
    this.#calm = this.#habits.calmSteps;
    // A step in a good direction: look further soon, unless this was the last one.
    const next = this.#possible(this.#direction);
    this.#stepsToTrial = next === this.#direction ? this.#habits.trialSteps : this.#pause(next);
    this.#direction = next;
  }

  #reject(trial: Trial): void {
    if (this.#direction < 0) {
      this.#knowledge().withFewer = steady(trial.samples);
      this.#calm = Math.min(longestCalm, this.#calm * 2);
    } else {
      const cost = mean(trial.samples) / steady(this.#window);
      this.#wait = Math.max(Math.min(longestWait, this.#wait * 2), cost * stepsForOneOfLoss);
    }
    // The steps before the trial were judged by it; only new ones may call for another.
    this.#window = [];
    this.#direction = this.#possible(-this.#direction as 1 | -1);
    this.#stepsToTrial = this.#pause();
  }

  /** The wanted direction, or the other one at the end of the range. */
  #possible(wanted: 1 | -1): 1 | -1 {
    return this.#neighbour(wanted) === this.#current ? (-wanted as 1 | -1) : wanted;
  }

  /** More threads are tried soon; fewer, while all is well, only for a rare look. */
  #pause(direction = this.#direction): number {
    return direction > 0 ? this.#wait : this.#calm;
  }

  #knowledge(): Knowledge {
    const known = this.#known.get(this.#streams) ?? {};
    this.#known.set(this.#streams, known);
    return known;
  }

  #use(threads: number): void {
    this.#current = threads;
    this.#known.clear();
    this.#measureAnew();
  }

  #measureAnew(): void {
    this.#trial = undefined;
    this.#window = [];
    this.#ruinedSteps = 0;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The mean without the slowest: one bad moment does not decide. */
function steady(values: readonly number[]): number {
  if (values.length < 3) return mean(values);
  return (mean(values) * values.length - Math.max(...values)) / (values.length - 1);
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}
