import type { Message } from '../generation/message.js';
import type { ModelDefaults } from './model-defaults.js';

/** Puts what the model brings in front of a conversation: its system message unless there is one, then its turns. */
export function withModelTurns(messages: readonly Message[], defaults: ModelDefaults): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role === 'system') return [first, ...defaults.messages, ...rest];
  const system: Message[] = defaults.system ? [{ role: 'system', content: defaults.system }] : [];
  return [...system, ...defaults.messages, ...messages];
}
