import { expect, test } from '@jest/globals';
import { roomLadder } from './room-ladder.js';

const ladder = (parallel: number, trainContextLength: number, wantedContext?: number) =>
  roomLadder({ parallel, trainContextLength, wantedContext }).map(
    ({ contextLength, sequences }) => `${sequences} x ${contextLength}`,
  );

test('contexts become shorter first, then sequences fewer, then contexts shorter still', () => {
  expect(ladder(4, 131_072)).toEqual([
    '4 x 32768',
    '4 x 16384',
    '4 x 8192',
    '2 x 8192',
    '1 x 8192',
    '1 x 4096',
    '1 x 2048',
  ]);
});

test('a model with little context keeps all of it for as long as it can', () => {
  expect(ladder(4, 4096)).toEqual(['4 x 4096', '2 x 4096', '1 x 4096', '1 x 2048']);
  expect(ladder(3, 512)).toEqual(['3 x 512', '1 x 512']);
});

test('a context that was asked for is never made shorter', () => {
  expect(ladder(4, 131_072, 65_536)).toEqual(['4 x 65536', '2 x 65536', '1 x 65536']);
  expect(ladder(1, 4096, 100_000)).toEqual(['1 x 4096']);
});
