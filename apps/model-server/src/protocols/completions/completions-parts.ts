import type { TextGenerator } from '../../generation/text-generator.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';

/** What the family's routes need of the server. */
export interface CompletionsParts {
  readonly catalogue: ModelCatalogue;
  readonly generator: TextGenerator;
}
