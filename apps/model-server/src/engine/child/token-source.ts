/** A token with what the model thought of it, when log-probabilities were asked for. */
export interface SampledToken {
  readonly token: number;
  readonly logprob?: number;
  /** The likeliest tokens, best first. */
  readonly top?: readonly { readonly token: number; readonly logprob: number }[];
}

/** Evaluates tokens on one sequence and chooses the next one. */
export interface TokenSource {
  next(tokens: readonly number[]): Promise<SampledToken>;
  close(): void;
}
