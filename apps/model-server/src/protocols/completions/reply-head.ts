import type { ModelEntry } from '../../models/model-entry.js';
import { newId } from './new-id.js';

/** What every frame of one reply has in common. */
export interface ReplyHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
}

export function newReplyHead(prefix: string, model: string, entry: ModelEntry): ReplyHead {
  return {
    id: newId(prefix),
    created: Math.floor(Date.now() / 1000),
    model,
    // The same weights answer the same seed with the same text: other weights, another fingerprint.
    system_fingerprint: `fp_${entry.digest.slice(0, 12)}`,
  };
}
