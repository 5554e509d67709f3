import type { OutputItem, OutputPart } from '@hearth/protocol-types/completions/responses-output-item';
import type { TokenLogprob } from '../../../generation/generation-event.js';
import { renderLogprobs } from '../render-logprobs.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type ReasoningItem = Extract<OutputItem, { type: 'reasoning' }>;
export type MessageItem = Extract<OutputItem, { type: 'message' }>;
export type CallItem = Extract<OutputItem, { type: 'function_call' }>;

/** The whole thought is told as its summary: that is the part which clients show and send back. */
export function reasoningItem(id: string, status: ItemStatus, text?: string): ReasoningItem {
  const summary = text === undefined ? [] : [{ type: 'summary_text' as const, text }];
  return { type: 'reasoning', id, summary, encrypted_content: null, status };
}

export function messageItem(id: string, status: ItemStatus, part?: OutputPart): MessageItem {
  return { type: 'message', id, status, role: 'assistant', content: part ? [part] : [] };
}

export function textPart(text: string, logprobs: readonly TokenLogprob[]): OutputPart {
  return { type: 'output_text', text, annotations: [], logprobs: renderLogprobs(logprobs) };
}

export function callItem(
  id: string,
  status: ItemStatus,
  call: { readonly id: string; readonly name: string; readonly argumentsText: string },
): CallItem {
  return {
    type: 'function_call',
    id,
    call_id: call.id,
    name: call.name,
    arguments: call.argumentsText,
    status,
  };
}
