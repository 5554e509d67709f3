import type { TokenLogprob } from '../../generation/generation-event.js';

export interface LogprobTrack {
  /** Log-probabilities of the tokens that made the text between two positions of the stream. */
  add(from: number, to: number, logprobs: readonly TokenLogprob[]): void;
  /** Text up to this position is shown: its tokens, each given out once, with the first of its characters. */
  take(to: number): readonly TokenLogprob[] | undefined;
  /** Text up to this position is not shown (a tag, a call): tokens that lie wholly in it are forgotten. */
  drop(to: number): void;
}

/** Keeps log-probabilities beside their text while that text is held back, cut or merged. */
export function createLogprobTrack(): LogprobTrack {
  let waiting: { readonly from: number; readonly to: number; readonly logprobs: readonly TokenLogprob[] }[] =
    [];

  return {
    add(from, to, logprobs) {
      // A token that completes no character yet belongs to the character that follows.
      if (logprobs.length > 0) waiting.push({ from, to: Math.max(to, from + 1), logprobs });
    },
    take(to) {
      const count = waiting.findIndex(({ from }) => from >= to);
      const taken = count < 0 ? waiting : waiting.slice(0, count);
      waiting = count < 0 ? [] : waiting.slice(count);
      return taken.length > 0 ? taken.flatMap(({ logprobs }) => logprobs) : undefined;
    },
    drop(to) {
      if (waiting.length > 0) waiting = waiting.filter((entry) => entry.to > to);
    },
  };
}
