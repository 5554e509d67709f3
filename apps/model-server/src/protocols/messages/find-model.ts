import { GenerationError } from '../../generation/generation-error.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import type { ModelEntry } from '../../models/model-entry.js';

/** The model of a conversation; one that only embeds or ranks has no words to answer with. */
export async function findModel(catalogue: ModelCatalogue, name: string): Promise<ModelEntry> {
  const model = await catalogue.find(name);
  if (model.capabilities.includes('completion')) return model;
  throw new GenerationError('unsupported', `model: "${name}" does not generate text`, { param: 'model' });
}
