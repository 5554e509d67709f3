import type { FinishReason } from '../src/generation/finish-reason.js';
import type { FinishEvent, GenerationEvent } from '../src/generation/generation-event.js';
import { finishEvent, startEvent, textEvents } from './scripted-generator.js';

/** A model that thinks, speaks and then calls two tools: every kind of event that a dialect must word. */
export const fullConversation: readonly GenerationEvent[] = [
  startEvent,
  { type: 'prompt-progress', processedTokens: 4, totalTokens: 7 },
  { type: 'reasoning-delta', text: 'Hm' },
  { type: 'reasoning-delta', text: 'm.' },
  ...textEvents('Let me ', 'look.'),
  ...toolCallEvents(0, 'weather', ['{"city":', ' "Lima"}']),
  ...toolCallEvents(1, 'time', ['{}']),
  finishWith({ kind: 'tool-calls' }, { outputTokens: 21, reasoningTokens: 4 }),
];

export function toolCallEvents(
  index: number,
  name: string,
  argumentTexts: readonly string[],
): readonly GenerationEvent[] {
  return [
    { type: 'tool-call-start', index, id: `call_${index}`, name },
    ...argumentTexts.map((argumentsText) => ({ type: 'tool-call-delta', index, argumentsText }) as const),
    { type: 'tool-call-end', index },
  ];
}

export function finishWith(reason: FinishReason, usage: Partial<FinishEvent['usage']> = {}): GenerationEvent {
  const base = finishEvent as FinishEvent;
  return { ...base, reason, usage: { ...base.usage, ...usage } };
}
