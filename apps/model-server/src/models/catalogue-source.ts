import type { ModelEntry } from './model-entry.js';
import type { ModelReference } from './model-name.js';

/** One place that models are served from. */
export interface CatalogueSource {
  list(): Promise<readonly ModelEntry[]>;
  find(name: ModelReference): Promise<ModelEntry | undefined>;
}
