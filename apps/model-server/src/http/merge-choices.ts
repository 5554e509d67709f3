import type { GenerationEvent } from '../generation/generation-event.js';

export interface ChoiceEvent {
  readonly choice: number;
  readonly event: GenerationEvent;
}

/** The events of all choices. Whoever stops reading early says so with `return`. */
export type ChoiceEvents = AsyncIterableIterator<ChoiceEvent, undefined>;

/**
 * Runs several generations side by side and yields their events as they come, each with the number of its choice.
 * When one fails the error is thrown and the others are told to end.
 */
export function mergeChoices(generations: readonly AsyncIterable<GenerationEvent>[]): ChoiceEvents {
  const [only, ...others] = generations;
  return only && others.length === 0 ? onlyChoice(only) : raceChoices(generations);
}

/** Nearly every request has one choice: its events pass straight through, for this runs once a token. */
function onlyChoice(generation: AsyncIterable<GenerationEvent>): ChoiceEvents {
  const iterator = generation[Symbol.asyncIterator]();
  return {
    async next() {
      const result = await iterator.next();
      return result.done
        ? { done: true, value: undefined }
        : { done: false, value: { choice: 0, event: result.value } };
    },
    async return() {
      endUnawaited(iterator);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* raceChoices(
  generations: readonly AsyncIterable<GenerationEvent>[],
): AsyncGenerator<ChoiceEvent, undefined> {
  const iterators = generations.map((generation) => generation[Symbol.asyncIterator]());
  const advance = (choice: number) => {
    const iterator = iterators[choice] as AsyncIterator<GenerationEvent>;
    return iterator.next().then((result) => ({ choice, result }));
  };
  const pending = new Map(iterators.map((_, choice) => [choice, advance(choice)] as const));
  try {
    while (pending.size > 0) {
      const { choice, result } = await Promise.race(pending.values());
      if (result.done) {
        pending.delete(choice);
        continue;
      }
      pending.set(choice, advance(choice));
      yield { choice, event: result.value };
    }
  } finally {
    for (const next of pending.values()) next.catch(() => undefined);
    for (const iterator of iterators) endUnawaited(iterator);
  }
}

/** Told to end, not waited for: a generation that is slow to end must not hold its reply open. */
function endUnawaited(iterator: AsyncIterator<GenerationEvent>): void {
  iterator.return?.().catch(() => undefined);
}
