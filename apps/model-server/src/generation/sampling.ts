/** How the next token is chosen. Every field is decided by the time a request reaches the engine. */
export interface Sampling {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  /** Multiplicative, over the last `repeatLastN` tokens; 1 is off. */
  readonly repeatPenalty: number;
  readonly repeatLastN: number;
  /** Additive; 0 is off. */
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  /** Undefined means random. */
  readonly seed: number | undefined;
  /** Token id to additive bias, -100 to 100. */
  readonly logitBias: Readonly<Record<number, number>>;
}

/** The defaults of the specification, the same in every dialect. */
export const defaultSampling: Sampling = {
  temperature: 0.7,
  topP: 0.9,
  topK: 40,
  minP: 0,
  repeatPenalty: 1.1,
  repeatLastN: 64,
  frequencyPenalty: 0,
  presencePenalty: 0,
  seed: undefined,
  logitBias: {},
};

export const defaultMaxTokens = 4096;
