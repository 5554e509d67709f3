import type { Model, ModelList } from '@hearth/protocol-types/messages/model';
import { GenerationError } from '../../generation/generation-error.js';
import type { ModelEntry } from '../../models/model-entry.js';

export interface Page {
  readonly limit: number;
  readonly afterId?: string;
  readonly beforeId?: string;
}

export function renderModel(model: ModelEntry): Model {
  return {
    type: 'model',
    id: model.name,
    display_name: model.name.replace(/:latest$/, ''),
    created_at: model.modifiedAt.toISOString(),
    max_input_tokens: model.details.contextLength,
    max_tokens: model.details.contextLength,
  };
}

/** One page of the list, after one id or before another. */
export function renderModelPage(models: readonly ModelEntry[], page: Page): ModelList {
  const after = page.afterId === undefined ? 0 : indexOf(models, page.afterId, 'after_id') + 1;
  const before = page.beforeId === undefined ? models.length : indexOf(models, page.beforeId, 'before_id');
  const range = models.slice(after, Math.max(after, before));
  // Going backwards, the page is the one right before the id.
  const backwards = page.beforeId !== undefined && page.afterId === undefined;
  const data = (backwards ? range.slice(-page.limit) : range.slice(0, page.limit)).map(renderModel);
  return {
    data,
    has_more: range.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function indexOf(models: readonly ModelEntry[], id: string, param: string): number {
  const index = models.findIndex(({ name }) => name === id);
  if (index === -1) {
    throw new GenerationError('invalid-request', `${param} must be the id of a model in the list`, { param });
  }
  return index;
}
