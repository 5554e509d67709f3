import { expect, test } from '@jest/globals';
import { serverAddress } from './server-address.js';

test.each([
  [{}, 'http://127.0.0.1:11434'],
  [{ HEARTH_PORT: '8080' }, 'http://127.0.0.1:8080'],
  [{ HEARTH_HOST: 'box' }, 'http://box:11434'],
  [{ HEARTH_HOST: 'box:1234', HEARTH_PORT: '8080' }, 'http://box:1234'],
  [{ HEARTH_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434'],
  [{ HEARTH_HOST: '::1' }, 'http://[::1]:11434'],
  [{ HEARTH_HOST: 'https://models.example/' }, 'https://models.example'],
])('%j is %s', (env, address) => {
  expect(serverAddress(env)).toBe(address);
});

test('what is no address is refused', () => {
  expect(() => serverAddress({ HEARTH_HOST: 'a b' })).toThrow('HEARTH_HOST');
});
