import type { Model } from '@hearth/protocol-types/completions/model';
import type { ModelEntry } from '../../../models/model-entry.js';

export function renderModel(model: ModelEntry, loaded: boolean): Model {
  return {
    id: model.name,
    object: 'model',
    created: Math.floor(model.modifiedAt.getTime() / 1000),
    owned_by: 'local',
    context_length: model.details.contextLength,
    capabilities: [...model.capabilities],
    loaded,
  };
}
