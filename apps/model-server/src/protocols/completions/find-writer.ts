import type { ModelCatalogue } from '../../models/model-catalogue.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { refuse } from './refuse.js';

/** The model of a reply; one that only embeds or ranks has no words to answer with. */
export async function findWriter(catalogue: ModelCatalogue, name: string): Promise<ModelEntry> {
  const model = await catalogue.find(name);
  if (!model.capabilities.includes('completion')) refuse('model', `'${name}' does not generate text`);
  return model;
}
