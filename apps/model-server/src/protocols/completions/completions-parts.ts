import type { GenerationHandlerParts } from '../../http/generation-handler.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';

/** What the family's routes need of the server. */
export interface CompletionsParts extends GenerationHandlerParts {
  readonly catalogue: ModelCatalogue;
}
