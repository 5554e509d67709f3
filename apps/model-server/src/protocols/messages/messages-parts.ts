import type { TextGenerator } from '../../generation/text-generator.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';

export interface MessagesParts {
  readonly catalogue: ModelCatalogue;
  readonly generator: TextGenerator;
}
