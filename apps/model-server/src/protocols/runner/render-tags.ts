import type { ModelDetails } from '@hearth/protocol-types/runner/model-details';
import type { TagsResponse } from '@hearth/protocol-types/runner/tags-response';
import type { ModelEntry } from '../../models/model-entry.js';

/** The model list as this family's clients show it. */
export function renderTags(models: readonly ModelEntry[]): TagsResponse {
  return {
    models: models.map((model) => ({
      name: model.name,
      model: model.name,
      modified_at: model.modifiedAt.toISOString(),
      size: model.sizeBytes,
      digest: model.digest,
      details: renderDetails(model),
      capabilities: [...model.capabilities],
    })),
  };
}

export function renderDetails({ parentModel, details }: ModelEntry): ModelDetails {
  return {
    parent_model: parentModel,
    format: details.format,
    family: details.family,
    families: [...details.families],
    parameter_size: details.parameterSize,
    quantization_level: details.quantizationLevel,
    context_length: details.contextLength,
    embedding_length: details.embeddingLength,
  };
}
