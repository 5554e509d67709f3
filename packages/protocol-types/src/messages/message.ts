import type { z } from 'zod';
import { object, oneOf } from '../common/fields.js';
import { contentSchema } from './content-block.js';

export const messageSchema = object({
  role: oneOf(['user', 'assistant', 'system']).describe('A system message may stand in mid-conversation.'),
  content: contentSchema,
}).meta({ id: 'MessagesMessage', description: 'One message. A last one by the assistant is carried on.' });

export type Message = z.infer<typeof messageSchema>;
