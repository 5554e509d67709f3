import type { GenerationError } from '../generation/generation-error.js';

/** An error as one family's clients expect it. */
export interface RenderedError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the rim needs to know of a protocol family: which paths are its own, and how it words an error. */
export interface Dialect {
  readonly name: 'runner' | 'completions' | 'messages';
  owns(path: string): boolean;
  renderError(error: GenerationError, requestId: string): RenderedError;
}
