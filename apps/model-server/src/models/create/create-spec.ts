import type { StoredMessage } from '../model-entry.js';
import type { Digest } from '../store/digest.js';

/** What a new model is made of. Everything besides its origin is optional and replaces what the origin says. */
export interface CreateSpec {
  readonly name: string;
  /** An existing model (pulled when it is not here) … */
  readonly from?: string;
  /** … or files that were uploaded before: their names to their digests. */
  readonly files?: Readonly<Record<string, Digest>>;
  readonly template?: string;
  readonly system?: string;
  readonly licenses?: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly StoredMessage[];
  /** What was asked for and means nothing here: whoever asked is told. */
  readonly withoutEffect?: readonly string[];
}
