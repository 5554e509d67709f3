import { GenerationError } from '../../generation/generation-error.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import type { ModelEntry } from '../../models/model-entry.js';

export async function findModel(catalogue: ModelCatalogue, name: string): Promise<ModelEntry> {
  if (name === '') throw new GenerationError('invalid-request', 'model is required', { param: 'model' });
  return await catalogue.find(name);
}

/** Any model may embed. Clients of this family look for the second half of this sentence and then pull the model. */
export async function findEmbedder(catalogue: ModelCatalogue, name: string): Promise<ModelEntry> {
  const model = name === '' ? await findModel(catalogue, name) : await catalogue.findIfThere(name);
  if (model) return model;
  const message = `model "${name}" not found, try pulling it first`;
  throw new GenerationError('model-not-found', message, { param: 'model' });
}

/** For a model that only embeds or ranks: it has no words to answer with. */
export function requireCompletion(model: ModelEntry, name: string, doing: 'chat' | 'generate'): void {
  if (model.capabilities.includes('completion')) return;
  throw new GenerationError('unsupported', `"${name}" does not support ${doing}`, { param: 'model' });
}
