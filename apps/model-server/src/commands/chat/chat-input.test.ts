import { expect, test } from '@jest/globals';
import { ChatInput } from './chat-input.js';

const feed = (...lines: string[]) => {
  const input = new ChatInput();
  return lines.map((line) => input.feed(line));
};

test('a line is a message, a slash a command, a path neither', () => {
  expect(feed('hello there', '/set system Be brief.', '/?', '/etc/hosts is what?', '  ')).toEqual([
    { kind: 'message', text: 'hello there' },
    { kind: 'command', name: 'set', argument: 'system Be brief.' },
    { kind: 'command', name: '?', argument: '' },
    { kind: 'message', text: '/etc/hosts is what?' },
    { kind: 'empty' },
  ]);
});

test('triple quotes hold a message of several lines, commands in it included', () => {
  expect(feed('"""first', '  /bye', 'last"""', 'next')).toEqual([
    { kind: 'more' },
    { kind: 'more' },
    { kind: 'message', text: 'first\n  /bye\nlast' },
    { kind: 'message', text: 'next' },
  ]);
  expect(feed('"""one line"""')).toEqual([{ kind: 'message', text: 'one line' }]);
});

test('the system message may have several lines too', () => {
  expect(feed('/set system """Be', 'brief."""', '/set system """One line."""', '/set system Plain.')).toEqual(
    [
      { kind: 'more' },
      { kind: 'command', name: 'set', argument: 'system Be\nbrief.' },
      { kind: 'command', name: 'set', argument: 'system One line.' },
      { kind: 'command', name: 'set', argument: 'system Plain.' },
    ],
  );
});

test.each(['"""Doc."""\nimport os\n', '/* A comment. */\nint main() {}', '"""a""" and """b""" differ'])(
  'text that only looks like a quoted one or a command is a message as it is: %j',
  (text) => {
    expect(feed(text)).toEqual([{ kind: 'message', text }]);
  },
);

test('what is pasted into a quoted text may hold quotes, and a system message may be pasted', () => {
  const code = 'def f():\n  """Doc."""\n  return 1';
  expect(feed('"""Explain:', code, '"""', '/set system Be brief.\nBe kind.')).toEqual([
    { kind: 'more' },
    { kind: 'more' },
    { kind: 'message', text: `Explain:\n${code}\n` },
    { kind: 'command', name: 'set', argument: 'system Be brief.\nBe kind.' },
  ]);
});

test('what was begun can be dropped', () => {
  const input = new ChatInput();
  input.feed('"""begun');
  input.reset();
  expect(input.feed('hi')).toEqual({ kind: 'message', text: 'hi' });
});
