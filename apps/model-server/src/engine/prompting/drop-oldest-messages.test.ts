import { expect, test } from '@jest/globals';
import type { Message } from '../../generation/message.js';
import { dropOldestMessages } from './drop-oldest-messages.js';

const conversation: readonly Message[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'one' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', argumentsText: '{}' }] },
  { role: 'tool', content: 'result', toolCallId: 'a' },
  { role: 'system', content: 'later' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'three' },
];

function kept(limit: number, messages = conversation) {
  return dropOldestMessages(messages, (list) => list.length <= limit).then((list) =>
    list?.map(({ role, content }) => content || role),
  );
}

test('nothing is dropped from what fits', async () => {
  await expect(dropOldestMessages(conversation, () => true)).resolves.toBe(conversation);
});

test('the oldest go first, no more than needed', async () => {
  await expect(kept(6)).resolves.toEqual(['S', 'assistant', 'result', 'later', 'two', 'three']);
});

test('a call and its result go together', async () => {
  await expect(kept(5)).resolves.toEqual(['S', 'later', 'two', 'three']);
});

test('system messages and the last turn stay to the end', async () => {
  await expect(kept(3)).resolves.toEqual(['S', 'later', 'three']);
  await expect(kept(2)).resolves.toBeUndefined();
});

test('a last tool result keeps its call', async () => {
  await expect(kept(3, conversation.slice(0, 4))).resolves.toEqual(['S', 'assistant', 'result']);
});

test('tokens are counted only as often as halving needs', async () => {
  const long = Array.from(
    { length: 1000 },
    (_, index): Message => ({ role: 'user', content: String(index) }),
  );
  let counted = 0;
  const rest = await dropOldestMessages(long, (list) => {
    counted += 1;
    return list.length <= 137;
  });
  expect(rest).toHaveLength(137);
  expect(counted).toBeLessThan(15);
});
