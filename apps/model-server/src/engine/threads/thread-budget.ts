/** Something that computes with a number of threads: an engine process. */
export interface ThreadUser {
  grantThreads(count: number): void;
}

/**
 * Shares the cores among the engines that are at work right now. llama.cpp's threads spin while they wait for each
 * other, so two engines that each took all cores would slow each other down by a large factor.
 */
export class ThreadBudget {
  readonly #total: number;
  readonly #busy: ThreadUser[] = [];

  constructor(total: number) {
    this.#total = Math.max(1, total);
  }

  get total(): number {
    return this.#total;
  }

  enter(user: ThreadUser): void {
    if (this.#busy.includes(user)) return;
    this.#busy.push(user);
    this.#share();
  }

  leave(user: ThreadUser): void {
    const position = this.#busy.indexOf(user);
    if (position < 0) return;
    this.#busy.splice(position, 1);
    this.#share();
  }

  /** Evenly, the first ones get what is left over. One each at least: single threads wait without spinning. */
  #share(): void {
    const each = Math.floor(this.#total / Math.max(1, this.#busy.length));
    const spare = this.#total - each * this.#busy.length;
    for (const [position, user] of this.#busy.entries()) {
      user.grantThreads(Math.max(1, each + (position < spare ? 1 : 0)));
    }
  }
}
