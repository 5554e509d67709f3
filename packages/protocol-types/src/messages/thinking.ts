import { z } from 'zod';
import { integerFrom, object, text } from '../common/fields.js';

export const thinkingSchema = z
  .discriminatedUnion(
    'type',
    [
      object({ type: z.literal('enabled'), budget_tokens: integerFrom(1024), display: text.nullish() }),
      object({ type: z.literal('disabled') }),
      object({ type: z.literal('adaptive'), display: text.nullish() }),
      object({ type: z.literal('between_tools'), display: text.nullish() }),
    ],
    { error: 'must be one of enabled, disabled, adaptive, between_tools' },
  )
  .meta({ id: 'MessagesThinking', description: 'Whether a thinking model thinks first, and how much.' });

export type Thinking = z.infer<typeof thinkingSchema>;
