export interface GuessBudget {
  /** False once the budget of this window is spent. */
  take(): boolean;
  /** For what turned out to be no guess. */
  giveBack(): void;
}

/** Counts tries that may be guesses, so many in each window of time. */
export function createGuessBudget(options: {
  readonly limit: number;
  readonly windowMs: number;
  readonly now: () => number;
}): GuessBudget {
  const { limit, windowMs, now } = options;
  let taken = 0;
  let windowEnds = 0;
  return {
    take() {
      if (now() >= windowEnds) {
        windowEnds = now() + windowMs;
        taken = 0;
      }
      if (taken >= limit) return false;
      taken += 1;
      return true;
    },
    giveBack() {
      taken = Math.max(0, taken - 1);
    },
  };
}
