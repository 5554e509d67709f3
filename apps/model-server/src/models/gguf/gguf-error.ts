export type GgufProblem = 'not-a-gguf' | 'unsupported-version' | 'truncated' | 'corrupt';

/** Why a file cannot be read as a GGUF model, in words for whoever put it there. Never names a path. */
export class GgufError extends Error {
  override readonly name = 'GgufError';

  constructor(
    readonly problem: GgufProblem,
    message: string,
  ) {
    super(message);
  }
}
