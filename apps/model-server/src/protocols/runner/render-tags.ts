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
      details: {
        parent_model: model.parentModel,
        format: model.details.format,
        family: model.details.family,
        families: [...model.details.families],
        parameter_size: model.details.parameterSize,
        quantization_level: model.details.quantizationLevel,
        context_length: model.details.contextLength,
        embedding_length: model.details.embeddingLength,
      },
      capabilities: [...model.capabilities],
    })),
  };
}
