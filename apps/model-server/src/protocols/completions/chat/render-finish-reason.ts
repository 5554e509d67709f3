import type { FinishReason as WireReason } from '@hearth/protocol-types/completions/chat-response';
import type { FinishReason } from '../../../generation/finish-reason.js';

const wireReason: Readonly<Record<FinishReason['kind'], WireReason>> = {
  end: 'stop',
  'stop-string': 'stop',
  'max-tokens': 'length',
  'context-full': 'length',
  'tool-calls': 'tool_calls',
};

export function renderFinishReason({ kind }: FinishReason, legacyFunctions: boolean): WireReason {
  return kind === 'tool-calls' && legacyFunctions ? 'function_call' : wireReason[kind];
}
