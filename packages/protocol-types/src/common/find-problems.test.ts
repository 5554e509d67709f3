import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { either, list, object, oneOf, text } from './fields.js';
import { findProblems } from './find-problems.js';

const part = z.discriminatedUnion('type', [
  object({ type: z.literal('text'), text }),
  object({ type: z.literal('image'), url: text }),
]);
const body = object({
  role: oneOf(['user', 'system']),
  content: either('a string or a list of parts', [text, list(part)]),
});

function problems(input: unknown) {
  const result = body.safeParse(input);
  return result.success ? [] : findProblems(result.error);
}

test('each problem stands at its own field and reads on from it', () => {
  expect(problems({ role: 'judge' })).toEqual([
    { path: 'role', message: 'must be one of user, system' },
    { path: 'content', message: 'is required' },
  ]);
});

test('a field of several forms is named as a whole when no form fits', () => {
  expect(problems({ role: 'user', content: 3 })).toEqual([
    { path: 'content', message: 'must be a string or a list of parts' },
  ]);
});

test('a problem inside one form is told at its own place', () => {
  expect(problems({ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text' }] })).toEqual([
    { path: 'content.1.text', message: 'is required' },
  ]);
});

test('a body that is no object has no path', () => {
  expect(problems([])).toEqual([{ path: '', message: 'must be an object' }]);
  expect(problems(undefined)).toEqual([{ path: '', message: 'is required' }]);
});
