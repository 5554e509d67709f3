import { partialMatchLength } from './partial-match.js';

export interface StopStringResult {
  /** Text that is sure to be before any stop string. */
  readonly text: string;
  /** The stop string that was found; nothing may follow. */
  readonly matched?: string;
}

export interface StopStringMatcher {
  push(text: string): StopStringResult;
  /** No more text comes: what was held back is text after all. */
  finish(): string;
}

/** The match that is complete first wins; among those complete at the same place, the one that began first. */
function firstMatch(text: string, stops: readonly string[]): { at: number; stop: string } | undefined {
  let best: { at: number; stop: string } | undefined;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at < 0) continue;
    const end = at + stop.length;
    const bestEnd = best ? best.at + best.stop.length : Number.POSITIVE_INFINITY;
    if (end < bestEnd || (end === bestEnd && best && at < best.at)) best = { at, stop };
  }
  return best;
}

/**
 * Looks for several stop strings in text that comes in pieces. The end of the text that could still become a stop string
 * is held back, so that no part of one ever leaks; the same text gives the same result however it is cut. So the match
 * that is complete first wins: waiting for a longer one would depend on where the pieces end.
 */
export function createStopStringMatcher(stopStrings: readonly string[]): StopStringMatcher {
  const stops = stopStrings.filter((stop) => stop !== '');
  let held = '';

  function push(text: string): StopStringResult {
    if (stops.length === 0) return { text };
    held += text;
    const match = firstMatch(held, stops);
    if (match) {
      const before = held.slice(0, match.at);
      held = '';
      return { text: before, matched: match.stop };
    }
    const keep = partialMatchLength(held, stops);
    const ready = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return { text: ready };
  }

  function finish(): string {
    const rest = held;
    held = '';
    return rest;
  }

  return { push, finish };
}
