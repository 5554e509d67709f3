import { expect, test } from '@jest/globals';
import { TextAssembler } from './text-assembler.js';

/** A vocabulary of single bytes. */
const bytes = (tokens: readonly number[]) => Buffer.from(tokens).toString();

function assemble(tokens: readonly number[]): string[] {
  const assembler = new TextAssembler(bytes, []);
  return [...tokens.map((token) => assembler.push(token)), assembler.finish()];
}

test('a character comes once it is whole', () => {
  expect(assemble([...Buffer.from('é👋!')])).toEqual(['', 'é', '', '', '', '👋', '!', '']);
});

test('a character that never becomes whole is replaced, and what follows it is kept', () => {
  expect(assemble([0xf0, 0x9f, 0x41]).join('')).toBe('�A');
  expect(assemble([0xe2, 0x82]).join('')).toBe('�');
});

test('broken bytes do not hold up the text for ever', () => {
  const pieces = assemble(Array(12).fill(0xff));
  expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(2);
});

test('the tokens before decide how the next one reads', () => {
  const seen: number[][] = [];
  const assembler = new TextAssembler(
    (tokens, before) => {
      seen.push([...before]);
      return String(tokens);
    },
    [1, 2, 3, 4, 5, 6],
  );
  assembler.push(7);
  assembler.push(8);
  expect(seen).toEqual([
    [3, 4, 5, 6],
    [4, 5, 6, 7],
  ]);
});
