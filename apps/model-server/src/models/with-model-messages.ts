import type { Message } from '../generation/message.js';
import type { ModelEntry } from './model-entry.js';

/** The conversation as the model gets it: its own system text unless the caller brought one, its own turns, then the caller's. */
export function withModelMessages(
  entry: Pick<ModelEntry, 'system' | 'messages'>,
  messages: readonly Message[],
): readonly Message[] {
  const system = messages[0]?.role === 'system' ? undefined : entry.system;
  return [
    ...(system ? [{ role: 'system', content: system } as const] : []),
    ...entry.messages.flatMap(toMessage),
    ...messages,
  ];
}

function toMessage({ role, content }: ModelEntry['messages'][number]): Message[] {
  if (role === 'system' || role === 'user' || role === 'assistant') return [{ role, content }];
  return [];
}
