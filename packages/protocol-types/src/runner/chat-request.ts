import type { z } from 'zod';
import { list, object } from '../common/fields.js';
import { generationFields } from './generation-fields.js';
import { messageSchema } from './message.js';
import { toolSchema } from './tool.js';

export const chatRequestSchema = object({
  ...generationFields,
  messages: list(messageSchema)
    .nullish()
    .describe('Empty: the model is only loaded, or unloaded with keep_alive 0.'),
  tools: list(toolSchema).nullish(),
}).meta({ id: 'RunnerChatRequest', description: 'POST /api/chat: the next message of a conversation.' });

export type ChatRequest = z.infer<typeof chatRequestSchema>;
