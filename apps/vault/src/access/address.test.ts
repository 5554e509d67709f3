import { expect, test } from '@jest/globals';
import { isAddressAllowed, isRangeWithin, normalAddress, normalRange } from './address.js';

test.each([
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::FFFF:10.1.2.3', '10.1.2.3'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['not an address', null],
  [undefined, null],
])('%s is kept as %s', (address, expected) => {
  expect(normalAddress(address)).toBe(expected);
});

test('a range is spelled in one way', () => {
  expect(normalRange('10.0.0.1')).toBe('10.0.0.1/32');
  expect(normalRange('::1')).toBe('::1/128');
  expect(normalRange('::ffff:10.0.0.0/104')).toBe('10.0.0.0/8');
});

test('an IPv4 caller on an IPv6 socket is inside its IPv4 range', () => {
  expect(isAddressAllowed(normalAddress('::ffff:10.1.2.3'), ['10.0.0.0/8'])).toBe(true);
  expect(isAddressAllowed(normalAddress('::ffff:11.1.2.3'), ['10.0.0.0/8'])).toBe(false);
  expect(isAddressAllowed('2001:db8::5', ['10.0.0.0/8', '2001:db8::/32'])).toBe(true);
});

test('no list allows everyone, and an unknown address is in no list', () => {
  expect(isAddressAllowed('1.2.3.4', null)).toBe(true);
  expect(isAddressAllowed(null, ['0.0.0.0/0', '::/0'])).toBe(false);
});

test('a range is within another only if every address of it is', () => {
  expect(isRangeWithin('10.1.0.0/16', ['10.0.0.0/8'])).toBe(true);
  expect(isRangeWithin('10.0.0.0/7', ['10.0.0.0/8'])).toBe(false);
  expect(isRangeWithin('::1/128', ['10.0.0.0/8'])).toBe(false);
  expect(isRangeWithin('0.0.0.0/0', ['10.0.0.0/8'])).toBe(false);
});
