import { expect, test } from '@jest/globals';
import type { Message } from '../generation/message.js';
import { withModelMessages } from './with-model-messages.js';

const model = {
  system: 'Be a pirate.',
  messages: [
    { role: 'user', content: 'Ahoy' },
    { role: 'assistant', content: 'Arr' },
    { role: 'narrator', content: 'unknown' },
  ],
};
const question: Message = { role: 'user', content: 'Who?' };

test('the model’s system text and turns come first', () => {
  expect(withModelMessages(model, [question])).toEqual([
    { role: 'system', content: 'Be a pirate.' },
    { role: 'user', content: 'Ahoy' },
    { role: 'assistant', content: 'Arr' },
    question,
  ]);
});

test('a caller’s own system text takes the place of the model’s', () => {
  const own: Message = { role: 'system', content: 'Be brief.' };
  expect(withModelMessages({ system: 'Be a pirate.', messages: [] }, [own, question])).toEqual([
    own,
    question,
  ]);
});
