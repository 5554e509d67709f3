import { expect, test } from '@jest/globals';
import { hasGpuDevice } from './has-gpu-device.js';

test.each(['/dev/nvidia0', '/dev/dxg', '/dev/kfd'])(
  '%s is a GPU, whether it can be used or not',
  (device) => {
    expect(hasGpuDevice((path) => path === device)).toBe(true);
  },
);

test('a screen is not', () => {
  expect(hasGpuDevice((path) => path === '/dev/dri/card0')).toBe(false);
});
