import type { PsResponse } from '@hearth/protocol-types/runner/ps-response';
import type { LoadedModel } from '../../generation/text-generator.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { renderDetails } from './render-tags.js';

/** How clients of this family spell "for ever": a date they will not live to see. */
const never = '2318-01-01T00:00:00.000Z';

export interface LoadedEntry {
  readonly loaded: LoadedModel;
  readonly entry: ModelEntry;
}

/** The models in memory, the one with the longest to stay first. */
export function renderPs(models: readonly LoadedEntry[]): PsResponse {
  return {
    models: models
      .map(({ loaded, entry }) => ({
        name: loaded.model,
        model: loaded.model,
        size: loaded.sizeBytes,
        digest: entry.digest,
        details: renderDetails(entry),
        expires_at: loaded.expiresAt?.toISOString() ?? never,
        size_vram: loaded.sizeVramBytes,
        context_length: loaded.contextLength,
      }))
      .sort((a, b) => b.expires_at.localeCompare(a.expires_at)),
  };
}
