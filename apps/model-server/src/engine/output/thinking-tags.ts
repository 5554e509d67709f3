/** The texts that stand around a model's thoughts. */
export interface ThinkingTags {
  readonly open: string;
  readonly close: string;
}

const families: readonly ThinkingTags[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '◁think▷', close: '◁/think▷' },
];

/** The model's thinking tags, read out of its chat template: a template that strips old thoughts names them too. */
export function detectThinkingTags(template: string): ThinkingTags | undefined {
  return families.find(({ open, close }) => template.includes(open) || template.includes(close));
}
