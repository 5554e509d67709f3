import type { CountTokensRequest } from '@hearth/protocol-types/messages/count-tokens-request';
import { GenerationError } from '../../generation/generation-error.js';
import type { ChatPrompt, GenerationRequest, Thinking } from '../../generation/generation-request.js';
import type { Message } from '../../generation/message.js';
import type { ModelDefaults } from '../../http/model-defaults.js';
import { withModelTurns } from '../../http/with-model-turns.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { parseMessages } from './parse-messages.js';
import { parseTools } from './parse-tools.js';
import { readSystem } from './read-blocks.js';

type PromptFields = Pick<
  GenerationRequest,
  'model' | 'prompt' | 'tools' | 'toolChoice' | 'parallelToolCalls' | 'thinking'
>;

/** Everything that becomes part of the prompt: the same for an answer and for counting. */
export function parsePrompt(
  body: CountTokensRequest,
  model: ModelEntry,
  defaults: ModelDefaults,
): PromptFields {
  return {
    model: body.model,
    prompt: parseConversation(body, defaults),
    ...parseTools(body.tools, body.tool_choice),
    thinking: parseThinking(body, model),
  };
}

function parseConversation({ system, messages }: CountTokensRequest, defaults: ModelDefaults): ChatPrompt {
  const turns = parseMessages(messages);
  const last = turns.at(-1);
  const lastIsAnswer = last?.role === 'assistant';
  if (lastIsAnswer && last.toolCalls) {
    const param = `messages.${messages.length - 1}`;
    throw new GenerationError('invalid-request', `${param} uses a tool; its tool_result must follow`, {
      param,
    });
  }
  const systemText = system == null ? '' : readSystem(system);
  const own: Message[] = systemText === '' ? [] : [{ role: 'system', content: systemText }];
  return {
    kind: 'chat',
    messages: withModelTurns([...own, ...turns], defaults),
    ...(lastIsAnswer && last.content !== '' ? { continueLastMessage: true } : {}),
  };
}

function parseThinking({ thinking, output_config }: CountTokensRequest, model: ModelEntry): Thinking {
  const effort = output_config?.effort === 'xhigh' ? 'max' : output_config?.effort;
  const withEffort = effort == null ? {} : { effort };
  switch (thinking?.type) {
    case 'disabled':
      return { mode: 'off' };
    case 'enabled':
      // Asked of a model that cannot think it is no fault: agents ask it of every model.
      if (!model.capabilities.includes('thinking')) return { mode: 'model-default' };
      return { mode: 'on', budgetTokens: thinking.budget_tokens, ...withEffort };
    default:
      return { mode: 'model-default', ...withEffort };
  }
}
