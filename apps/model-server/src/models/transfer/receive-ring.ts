/** What the thread that downloads and the thread that hashes tell each other, all in shared memory. */
export interface SharedRing {
  /** By the names in `ringFields`. */
  readonly numbers: Int32Array;
  /** The byte at a position of the file lies here at that position modulo the length. */
  readonly memory: SharedArrayBuffer;
  /** The first position that comes through the ring. */
  readonly begin: number;
}

export const ringFields = {
  /** Goes up whenever there is something new to hash. */
  news: 0,
  /** How many steps from the start are in the file. */
  completeSteps: 1,
  /** Up to where the ring was filled, and up to where that is hashed; in units. */
  fed: 2,
  hashed: 3,
} as const;

/** What is fed and hashed is counted in these, because only whole numbers of 32 bits can be waited for. */
export const unitBytes = 64 * 1024;

export const ringBytes = 16 * 1024 * 1024;

/** So much is received at once: less costs more calls, and more would let the hash wait for it. */
const mostRoomBytes = 1024 * 1024;

/** A hash that lags this far behind is busy with the file itself, and is not to be waited for. */
const patienceMs = 200;

/**
 * Memory that bytes are received into, written to disk from and hashed from, without a copy or a look at the file. They
 * pass through it in the order of the file, so only a download whose bytes come in order can use it.
 */
export class ReceiveRing {
  readonly shared: SharedRing;
  private isOpen = true;
  private head: number;
  private written: number;

  /** Everything before `begin` is in the file, or comes there past the ring. */
  constructor(
    begin: number,
    private readonly sizeBytes: number,
  ) {
    this.head = begin;
    this.written = begin;
    this.shared = {
      numbers: new Int32Array(new SharedArrayBuffer(4 * Object.keys(ringFields).length)),
      memory: pageAlignedMemory(),
      begin,
    };
    const units = Math.floor(begin / unitBytes);
    this.shared.numbers[ringFields.fed] = units;
    this.shared.numbers[ringFields.hashed] = units;
  }

  /** Up to where the file has come through the ring. */
  get filledTo(): number {
    return this.head;
  }

  isNext(position: number): boolean {
    return this.isOpen && position === this.head;
  }

  /** What comes from now on takes another way. */
  close(): void {
    this.isOpen = false;
  }

  /**
   * Memory for the bytes that come next; none while the disk has to catch up, and none any more once the ring is
   * closed. Stands still a little while for the hash.
   */
  room(): Buffer | undefined {
    if (this.isOpen && this.freeBytes(this.hashedTo()) === 0) this.waitForHash();
    if (!this.isOpen) return undefined;
    const at = this.head % ringBytes;
    const free = this.freeBytes(Math.min(this.hashedTo(), this.written));
    const length = Math.min(free, ringBytes - at, mostRoomBytes);
    return length > 0 ? Buffer.from(this.shared.memory, at, length) : undefined;
  }

  /** So many bytes now lie in the room that was given, and may be hashed. */
  fill(length: number): void {
    const { numbers } = this.shared;
    this.head += length;
    const isLast = this.head === this.sizeBytes;
    const fed = isLast ? Math.ceil(this.head / unitBytes) : Math.floor(this.head / unitBytes);
    if (fed === numbers[ringFields.fed]) return;
    Atomics.store(numbers, ringFields.fed, fed);
    this.tell();
  }

  /** The bytes of this stretch of the file, which must not go over the ring's end. */
  content(start: number, end: number): Buffer {
    return Buffer.from(this.shared.memory, start % ringBytes, end - start);
  }

  /** Everything before this position is in the file. */
  releaseTo(position: number): void {
    this.written = position;
  }

  advance(steps: number): void {
    const { numbers } = this.shared;
    if (steps <= (numbers[ringFields.completeSteps] ?? 0)) return;
    Atomics.store(numbers, ringFields.completeSteps, steps);
    this.tell();
  }

  private freeBytes(from: number): number {
    return ringBytes - (this.head - Math.min(from, this.head));
  }

  private hashedTo(): number {
    return Atomics.load(this.shared.numbers, ringFields.hashed) * unitBytes;
  }

  /** Once it has to wait it waits for half of the ring: to stop for each part would cost more than to fill it. */
  private waitForHash(): void {
    const { numbers } = this.shared;
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const hashed = Atomics.load(numbers, ringFields.hashed);
      if (this.freeBytes(hashed * unitBytes) >= ringBytes / 2) return;
      if (Date.now() >= deadline) break;
      Atomics.wait(numbers, ringFields.hashed, hashed, patienceMs);
    }
    this.close();
  }

  private tell(): void {
    const { numbers } = this.shared;
    Atomics.add(numbers, ringFields.news, 1);
    Atomics.notify(numbers, ringFields.news);
  }
}

/** Known to TypeScript only together with all of a browser. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    initial: number;
    maximum: number;
    shared: true;
  }) => { readonly buffer: SharedArrayBuffer };
};

/**
 * Only the memory of a WebAssembly module is sure to begin on a page, as writing past the system's cache asks for. It
 * takes many addresses, which a process may not have; any other memory does, through the cache.
 */
function pageAlignedMemory(): SharedArrayBuffer {
  const pages = ringBytes / (64 * 1024);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }).buffer;
  } catch {
    return new SharedArrayBuffer(ringBytes);
  }
}
