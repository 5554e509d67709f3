import { GenerationError } from '../../generation/generation-error.js';
import type { ModelCatalogue } from '../../models/model-catalogue.js';
import type { ModelEntry } from '../../models/model-entry.js';

export async function findModel(catalogue: ModelCatalogue, name: string): Promise<ModelEntry> {
  if (name === '') throw new GenerationError('invalid-request', 'model is required', { param: 'model' });
  return await catalogue.find(name);
}

/** For a model that only embeds or ranks: it has no words to answer with. */
export function requireCompletion(model: ModelEntry, name: string, doing: 'chat' | 'generate'): void {
  if (model.capabilities.includes('completion')) return;
  throw new GenerationError('unsupported', `"${name}" does not support ${doing}`, { param: 'model' });
}
