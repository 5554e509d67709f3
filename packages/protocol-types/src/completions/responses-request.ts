import type { z } from 'zod';
import {
  either,
  flag,
  ignored,
  integerBetween,
  integerFrom,
  list,
  mapOf,
  numberBetween,
  object,
  oneOf,
  text,
} from '../common/fields.js';
import { reasoningEffortSchema } from './reasoning-effort.js';
import { inputItemSchema } from './responses-input-item.js';
import { responsesTextFormatSchema } from './responses-text-format.js';
import { responsesToolChoiceSchema, responsesToolSchema } from './responses-tool.js';
import { extensionFields } from './sampling-fields.js';

export const responsesRequestSchema = object({
  model: text,
  input: either('a string or a list of input items', [text, list(inputItemSchema)]).nullish(),
  instructions: text.nullish().describe('The system message; not carried over from an earlier response.'),
  previous_response_id: text.nullish().describe('The stored response that this one carries on.'),
  conversation: either('an id or an object with an id', [text, object({ id: text })]).nullish(),
  store: flag.nullish(),
  stream: flag.nullish(),
  stream_options: object({ include_obfuscation: flag.nullish() }).nullish(),
  background: flag.nullish(),
  max_output_tokens: integerFrom(1).nullish(),
  max_tool_calls: integerFrom(1).nullish(),
  temperature: numberBetween(0, 2).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  top_logprobs: integerBetween(0, 20).nullish(),
  tools: list(responsesToolSchema).nullish(),
  tool_choice: responsesToolChoiceSchema.nullish(),
  parallel_tool_calls: flag.nullish(),
  text: object({ format: responsesTextFormatSchema.nullish(), verbosity: text.nullish() }).nullish(),
  reasoning: object({ effort: reasoningEffortSchema.nullish(), summary: text.nullish() }).nullish(),
  truncation: oneOf(['auto', 'disabled']).nullish(),
  include: list(text).nullish(),
  metadata: mapOf(text, 'an object of strings').nullish(),
  prompt_cache_key: text.nullish(),
  safety_identifier: text.nullish(),
  user: text.nullish(),
  service_tier: ignored,
  prompt: ignored,
  ...extensionFields,
}).meta({
  id: 'ResponsesRequest',
  description: 'POST /v1/responses: the next turn, as items instead of messages.',
});

export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;
