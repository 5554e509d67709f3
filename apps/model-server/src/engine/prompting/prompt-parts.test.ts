import { expect, test } from '@jest/globals';
import type { Message } from '../../generation/message.js';
import { blankVolatileParts } from './blank-volatile-parts.js';
import { createInfillPrompt } from './infill-prompt.js';
import { strftime } from './strftime.js';

function header(checksum: string): Message {
  return {
    role: 'system',
    content: `x-anthropic-billing-header: cc_version=2.1; cc_entrypoint=cli; cch=${checksum};\nYou are an agent.`,
  };
}

test('requests that differ only in their checksum become the same', () => {
  const [first] = blankVolatileParts([header('a1b2c')]);
  const [second] = blankVolatileParts([header('99')]);
  expect(first).toEqual(second);
  expect(first?.content).toBe(
    'x-anthropic-billing-header: cc_version=2.1; cc_entrypoint=cli; cch=;\nYou are an agent.',
  );
});

test('the same letters in other places are left alone', () => {
  const messages: Message[] = [
    { role: 'system', content: 'set cch=abc in the config' },
    { role: 'user', content: header('abc').content },
  ];
  expect(blankVolatileParts(messages)).toBe(messages);
});

test('a fill-in-the-middle prompt follows the tokens the model has, and only they are markup', () => {
  const prompt = { kind: 'infill', prefix: 'def f(', suffix: '): pass<M>' } as const;
  const before = [
    { kind: 'markup', text: '<P>' },
    { kind: 'plain', text: 'def f(' },
  ];
  const after = [
    { kind: 'markup', text: '<S>' },
    { kind: 'plain', text: '): pass<M>' },
  ];
  expect(createInfillPrompt(prompt, { prefix: '<P>', suffix: '<S>', middle: '<M>' })).toEqual([
    ...before,
    ...after,
    { kind: 'markup', text: '<M>' },
  ]);
  expect(createInfillPrompt(prompt, { prefix: '<P>', suffix: '<S>' })).toEqual([...after, ...before]);
  expect(() => createInfillPrompt(prompt, {})).toThrow('cannot fill in the middle');
});

test('strftime knows the directives of chat templates', () => {
  const date = new Date(2026, 0, 5, 15, 7, 9);
  expect(strftime(date, '%A, %B %d, %Y %H:%M:%S')).toBe('Monday, January 05, 2026 15:07:09');
  expect(strftime(date, '%a %b %-d %y %I:%M %p %j %F %T 100%% %Q')).toBe(
    'Mon Jan 5 26 03:07 PM 005 2026-01-05 15:07:09 100% %Q',
  );
});
