import type { Thinking } from '../../generation/generation-request.js';
import type { ThinkingTags } from '../output/thinking-tags.js';
import { thinkingVariableNames } from './probe-template.js';

/**
 * The variables that turn thinking on or off. Every family has its own name for the switch; a template reads the one it
 * knows. With the model's default none is set, because "undefined" is a third state for most of them.
 */
export function thinkingVariables(thinking: Thinking, template: string): Readonly<Record<string, unknown>> {
  const variables: Record<string, unknown> = {};
  if (thinking.mode !== 'model-default') {
    for (const name of thinkingVariableNames) variables[name] = thinking.mode === 'on';
  }
  const effort = reasoningEffort(thinking, template);
  if (effort) variables['reasoning_effort'] = effort;
  return variables;
}

function reasoningEffort(thinking: Thinking, template: string): string | undefined {
  const knows = (level: string) => template.includes(`'${level}'`) || template.includes(`"${level}"`);
  if (thinking.mode === 'off')
    return knows('none') ? 'none' : template.includes('<|channel|>') ? 'low' : undefined;
  if (thinking.effort === 'max') return knows('max') ? 'max' : 'high';
  return thinking.effort;
}

/** Whether a prompt ends with an opened thinking block. */
export function endsInsideThinking(text: string, tags: ThinkingTags | undefined): boolean {
  return tags !== undefined && text.trimEnd().endsWith(tags.open);
}

export function openThinking(text: string, tags: ThinkingTags): string {
  return `${text}${tags.open}\n`;
}

/** An empty thought: how a model whose template always opens the block is told to answer at once. */
export function endThinking(text: string, tags: ThinkingTags): string {
  return `${text.trimEnd()}\n\n${tags.close}\n\n`;
}
