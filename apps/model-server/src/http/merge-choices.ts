import type { GenerationEvent } from '../generation/generation-event.js';

export interface ChoiceEvent {
  readonly choice: number;
  readonly event: GenerationEvent;
}

/**
 * Runs several generations side by side and yields their events as they come, each with the number of its choice.
 * When one fails the error is thrown and the others are told to end.
 */
export async function* mergeChoices(
  generations: readonly AsyncIterable<GenerationEvent>[],
): AsyncGenerator<ChoiceEvent> {
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
    // Told to end, not waited for: a generation that is slow to end must not hold its reply open.
    for (const next of pending.values()) next.catch(() => undefined);
    for (const iterator of iterators) iterator.return?.().catch(() => undefined);
  }
}
