/** While streams run, a step should not take much longer because somebody else's prompt is being read. */
const targetMs = 60;
const leastTokens = 32;

/** Decides how many prompt tokens go into the next step, from how long earlier steps took. */
export class PrefillBudget {
  readonly #batchSize: number;
  #msPerToken: number | undefined;

  constructor(batchSize: number) {
    this.#batchSize = batchSize;
  }

  record(promptTokens: number, ms: number): void {
    if (promptTokens < leastTokens) return;
    const sample = ms / promptTokens;
    this.#msPerToken = this.#msPerToken === undefined ? sample : this.#msPerToken * 0.7 + sample * 0.3;
  }

  tokensFor(runningStreams: number): number {
    const room = this.#batchSize - runningStreams;
    if (runningStreams === 0) return room;
    const affordable = this.#msPerToken === undefined ? 128 : Math.floor(targetMs / this.#msPerToken);
    return Math.max(1, Math.min(room, Math.max(leastTokens, affordable)));
  }
}

/** Shares a budget over prompts: short ones get all they need, the long ones share what is left evenly. */
export function shareBudget(budget: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = budget;
  let open = wanted.map((_, index) => index).filter((index) => (wanted[index] ?? 0) > 0);
  while (left > 0 && open.length > 0) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const index of open) {
      const more = Math.min(each, (wanted[index] ?? 0) - (shares[index] ?? 0), left);
      shares[index] = (shares[index] ?? 0) + more;
      left -= more;
    }
    open = open.filter((index) => (shares[index] ?? 0) < (wanted[index] ?? 0));
  }
  return shares;
}
