import { setTimeout as sleep } from 'node:timers/promises';

export interface StepClock {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const realClock: StepClock = { now: () => performance.now(), sleep };

/**
 * Does work and ends, well or not, at the end of a step of time: how long it took cannot be told from outside as long
 * as it fits into a step.
 */
export async function inStepsOfTime<Result>(
  stepMs: number,
  work: () => Promise<Result>,
  clock: StepClock = realClock,
): Promise<Result> {
  const start = clock.now();
  try {
    return await work();
  } finally {
    await clock.sleep(stepMs - ((clock.now() - start) % stepMs));
  }
}
