import type { z } from 'zod';
import {
  either,
  flag,
  ignored,
  integerBetween,
  jsonObject,
  list,
  object,
  oneOf,
  text,
} from '../common/fields.js';
import { messageSchema } from './message.js';
import { reasoningEffortSchema } from './reasoning-effort.js';
import { responseFormatSchema } from './response-format.js';
import { extensionFields, samplingFields, tokenLimitFrom } from './sampling-fields.js';
import { functionDefinitionSchema, toolSchema } from './tool.js';
import { toolChoiceSchema } from './tool-choice.js';

export const chatRequestSchema = object({
  model: text,
  messages: list(messageSchema).min(1, 'must hold at least one message'),
  ...samplingFields,
  ...extensionFields,
  max_completion_tokens: tokenLimitFrom(1).nullish(),
  max_tokens: tokenLimitFrom(1)
    .nullish()
    .describe('Older form of `max_completion_tokens`; the smaller one counts.'),
  logprobs: flag.nullish(),
  top_logprobs: integerBetween(0, 20).nullish(),
  tools: list(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: flag.nullish(),
  functions: list(functionDefinitionSchema).nullish().describe('Older form of `tools`.'),
  function_call: either('"none", "auto" or an object with a name', [
    oneOf(['none', 'auto']),
    object({ name: text }),
  ])
    .nullish()
    .describe('Older form of `tool_choice`.'),
  response_format: responseFormatSchema.nullish(),
  reasoning_effort: reasoningEffortSchema.nullish(),
  reasoning: object({ effort: reasoningEffortSchema.nullish() }).nullish(),
  chat_template_kwargs: jsonObject.nullish().describe('Extra variables for the chat template.'),
  prompt_cache_key: text.nullish().describe('Requests with the same key reuse the same prompt cache.'),
  modalities: list(text).nullish(),
  audio: ignored,
  metadata: ignored,
  prediction: ignored,
  safety_identifier: ignored,
  service_tier: ignored,
  store: ignored,
  user: ignored,
  verbosity: ignored,
  web_search_options: ignored,
}).meta({ id: 'ChatRequest', description: 'POST /v1/chat/completions: the next message of a conversation.' });

export type ChatRequest = z.infer<typeof chatRequestSchema>;
