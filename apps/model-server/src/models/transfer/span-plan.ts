import { chunkBytes } from './chunk-journal.js';

/** A stretch of the file that one connection fetches: `[start, end)`, `position` is how far it has come. */
export interface Span {
  position: number;
  end: number;
  movedAt: number;
  /** Set by whoever fetches it: ends the connection because another took over the rest. */
  cut?: () => void;
}

/**
 * Which connection fetches what. Spans are handed out in order. When none is left, an idle connection takes over half
 * of the longest one, and all of one on which nothing moves: a download must not hang at 99 % on one slow connection.
 */
export class SpanPlan {
  private readonly waiting: Span[] = [];
  private readonly active = new Set<Span>();

  constructor(
    gaps: readonly { readonly start: number; readonly end: number }[],
    private readonly options: { readonly spanBytes: number; readonly takeOverAfterMs: number },
  ) {
    for (const gap of gaps) {
      for (let start = gap.start; start < gap.end; start += options.spanBytes) {
        this.waiting.push({ position: start, end: Math.min(start + options.spanBytes, gap.end), movedAt: 0 });
      }
    }
  }

  get finished(): boolean {
    return this.waiting.length === 0 && this.active.size === 0;
  }

  take(now: number): Span | undefined {
    const span = this.waiting.shift() ?? this.takeOver(now);
    if (!span) return undefined;
    span.movedAt = now;
    this.active.add(span);
    return span;
  }

  done(span: Span): void {
    this.active.delete(span);
  }

  private takeOver(now: number): Span | undefined {
    let longest: Span | undefined;
    for (const span of this.active) {
      const isStuck = now - span.movedAt > this.options.takeOverAfterMs;
      if (isStuck && span.position < span.end) return this.split(span, span.position);
      if (!longest || span.end - span.position > longest.end - longest.position) longest = span;
    }
    if (!longest || longest.end - longest.position < 8 * chunkBytes) return undefined;
    const middle = (longest.position + longest.end) / 2;
    return this.split(longest, Math.ceil(middle / chunkBytes) * chunkBytes);
  }

  private split(span: Span, at: number): Span {
    const rest: Span = { position: at, end: span.end, movedAt: 0 };
    span.end = at;
    if (span.position >= span.end) span.cut?.();
    return rest;
  }
}

/** The stretches of a file that are not on disk yet. */
export function missingGaps(done: Uint8Array, sizeBytes: number): { start: number; end: number }[] {
  const gaps: { start: number; end: number }[] = [];
  for (let chunk = 0; chunk < done.length; chunk += 1) {
    if (done[chunk] === 1) continue;
    const start = chunk * chunkBytes;
    const end = Math.min(start + chunkBytes, sizeBytes);
    const last = gaps.at(-1);
    if (last?.end === start) last.end = end;
    else gaps.push({ start, end });
  }
  return gaps;
}
