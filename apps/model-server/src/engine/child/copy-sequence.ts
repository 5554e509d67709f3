import type { LlamaContextSequence } from 'node-llama-cpp';

/** The binding copies sequences for its own decisions; it does not list that among its public methods. */
interface CopyingSequence {
  _copyStateFromOtherSequence?(source: LlamaContextSequence, upToToken: number): Promise<boolean>;
}

function copying(sequence: LlamaContextSequence): CopyingSequence {
  return sequence as unknown as CopyingSequence;
}

/** Models with a sliding window or a recurrent state hold more than one state for each token: theirs is not copied. */
export function canCopy(sequence: LlamaContextSequence): boolean {
  return !sequence.needsCheckpoints && typeof copying(sequence)._copyStateFromOtherSequence === 'function';
}

/** Gives one sequence the first tokens of another, without computing them; where that fails it is empty afterwards. */
export async function copySequence(
  target: LlamaContextSequence,
  source: LlamaContextSequence,
  tokenCount: number,
): Promise<void> {
  const copied = await copying(target)._copyStateFromOtherSequence?.(source, tokenCount);
  if (copied !== true) await target.clearHistory();
}
