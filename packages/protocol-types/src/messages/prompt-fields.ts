import { ignored, list, text } from '../common/fields.js';
import { keepAliveSchema } from '../common/keep-alive.js';
import { systemSchema } from './content-block.js';
import { messageSchema } from './message.js';
import { outputConfigSchema } from './output-config.js';
import { thinkingSchema } from './thinking.js';
import { toolSchema } from './tool.js';
import { toolChoiceSchema } from './tool-choice.js';

/** Everything that becomes part of the prompt: the same for an answer and for counting. */
export const promptFields = {
  model: text,
  messages: list(messageSchema).min(1, 'must hold at least one message'),
  system: systemSchema.nullish(),
  tools: list(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  thinking: thinkingSchema.nullish(),
  output_config: outputConfigSchema.nullish(),
  keep_alive: keepAliveSchema.nullish(),
  cache_control: ignored,
  container: ignored,
  context_management: ignored,
  diagnostics: ignored,
  inference_geo: ignored,
  mcp_servers: ignored,
  metadata: ignored,
  service_tier: ignored,
  speed: ignored,
};
