/** What the thread that downloads and the thread that hashes tell each other, all in shared memory. */
export interface SharedFeed {
  /** By the names in `feedFields`. */
  readonly numbers: Int32Array;
  /** Where in the file each slot's bytes belong. */
  readonly positions: Float64Array;
  readonly lengths: Int32Array;
  readonly memory: SharedArrayBuffer;
}

export const feedFields = {
  /** Goes up whenever there is something new to hash. */
  news: 0,
  /** How many steps from the start are in the file. */
  completeSteps: 1,
  /** How many slots were ever filled, and how many of these are done with. */
  filled: 2,
  emptied: 3,
} as const;

export const slotBytes = 256 * 1024;
const slotCount = 32;

/** A hash that lags this far behind is busy with the file itself, and is not to be waited for. */
const patienceMs = 200;

/**
 * Slots of memory that bytes are received into, written to disk from and hashed from, without a copy or a look at the
 * file. They are lent in the order of the file, so only a download whose bytes come in order gets them.
 */
export class HashFeed {
  readonly shared: SharedFeed = {
    numbers: new Int32Array(new SharedArrayBuffer(4 * 4)),
    positions: new Float64Array(new SharedArrayBuffer(8 * slotCount)),
    lengths: new Int32Array(new SharedArrayBuffer(4 * slotCount)),
    memory: new SharedArrayBuffer(slotBytes * slotCount),
  };
  private isOpen = true;

  /** Everything before this position is hashed, or will be from what was fed or is in the file. */
  constructor(private expected: number) {}

  /** A slot for the bytes from this position on, if they are the next; waits a little while all slots are taken. */
  slotFor(position: number): Buffer | undefined {
    if (!this.isOpen || position !== this.expected) return undefined;
    const { numbers, memory } = this.shared;
    const filled = numbers[feedFields.filled] ?? 0;
    const deadline = Date.now() + patienceMs;
    let emptied = Atomics.load(numbers, feedFields.emptied);
    // Once it has to wait it waits for half of them: to stop for each would cost more than to fill it.
    const enough = filled - emptied < slotCount ? slotCount : slotCount / 2;
    while (filled - emptied >= enough) {
      Atomics.wait(numbers, feedFields.emptied, emptied, patienceMs);
      emptied = Atomics.load(numbers, feedFields.emptied);
      if (Date.now() >= deadline) {
        this.isOpen = false;
        return undefined;
      }
    }
    return Buffer.from(memory, (filled % slotCount) * slotBytes, slotBytes);
  }

  /** The slot that was lent is full, and its bytes are in the file. */
  fill(length: number): void {
    const { numbers, positions, lengths } = this.shared;
    const filled = numbers[feedFields.filled] ?? 0;
    positions[filled % slotCount] = this.expected;
    lengths[filled % slotCount] = length;
    this.expected += length;
    Atomics.store(numbers, feedFields.filled, filled + 1);
    this.tell();
  }

  advance(steps: number): void {
    const { numbers } = this.shared;
    if (steps <= (numbers[feedFields.completeSteps] ?? 0)) return;
    Atomics.store(numbers, feedFields.completeSteps, steps);
    this.tell();
  }

  private tell(): void {
    const { numbers } = this.shared;
    Atomics.add(numbers, feedFields.news, 1);
    Atomics.notify(numbers, feedFields.news);
  }
}
