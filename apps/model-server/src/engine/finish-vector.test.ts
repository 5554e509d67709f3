import { expect, test } from '@jest/globals';
import { finishVector } from './finish-vector.js';

test('a vector is cut first and then brought to length one', () => {
  const vector = Float64Array.from([3, 4, 12]);
  expect(finishVector(vector, { normalize: false })).toEqual([3, 4, 12]);
  expect(finishVector(vector, { normalize: true, dimensions: 2 })).toEqual([0.6, 0.8]);
  expect(finishVector(Float64Array.from([0, 0]), { normalize: true })).toEqual([0, 0]);
});
