import type { ReasoningEffort } from '@hearth/protocol-types/completions/reasoning-effort';
import type { Thinking } from '../../generation/generation-request.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { refuse } from './refuse.js';

const effortOf: Readonly<Record<Exclude<ReasoningEffort, 'none'>, NonNullable<Thinking['effort']>>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  ultra: 'max',
  max: 'max',
};

/** `param` is how the caller spelled it. A model that does not think cannot be told to. */
export function parseThinking(
  effort: ReasoningEffort | null | undefined,
  model: ModelEntry,
  param: string,
): Thinking {
  if (effort == null) return { mode: 'model-default' };
  if (effort === 'none') return { mode: 'off' };
  if (!model.capabilities.includes('thinking')) {
    refuse(param, `cannot be '${effort}': the model '${model.name}' does not think`);
  }
  return { mode: 'on', effort: effortOf[effort] };
}
