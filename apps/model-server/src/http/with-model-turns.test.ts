import { expect, test } from '@jest/globals';
import type { Message } from '../generation/message.js';
import { modelDefaults } from './model-defaults.js';
import { withModelTurns } from './with-model-turns.js';

const turn: Message = { role: 'user', content: 'Earlier' };
const question: Message = { role: 'user', content: 'Now' };
const own: Message = { role: 'system', content: 'Mine' };
const defaults = { ...modelDefaults(undefined), system: 'The model says', messages: [turn] };

test("the model's system message and turns stand before a conversation that has none", () => {
  expect(withModelTurns([question], defaults)).toEqual([
    { role: 'system', content: 'The model says' },
    turn,
    question,
  ]);
});

test("a conversation's own system message replaces the model's and stays first", () => {
  expect(withModelTurns([own, question], defaults)).toEqual([own, turn, question]);
});
