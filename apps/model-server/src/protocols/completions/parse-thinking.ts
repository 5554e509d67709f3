import type { ReasoningEffort } from '@hearth/protocol-types/completions/reasoning-effort';
import type { Thinking } from '../../generation/generation-request.js';

const effortOf: Readonly<Record<Exclude<ReasoningEffort, 'none'>, NonNullable<Thinking['effort']>>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  ultra: 'max',
  max: 'max',
};

export function parseThinking(effort: ReasoningEffort | null | undefined): Thinking {
  if (effort == null) return { mode: 'model-default' };
  if (effort === 'none') return { mode: 'off' };
  return { mode: 'on', effort: effortOf[effort] };
}
