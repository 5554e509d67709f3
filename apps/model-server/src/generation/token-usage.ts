export interface TokenUsage {
  /** All tokens of the prompt, those taken from a warm sequence included. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** All generated tokens, reasoning included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Milliseconds, with fractions. */
export interface GenerationDurations {
  readonly totalMs: number;
  readonly queueMs: number;
  readonly loadMs: number;
  readonly promptMs: number;
  readonly outputMs: number;
}
