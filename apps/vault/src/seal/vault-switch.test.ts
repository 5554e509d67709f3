import { createLogger } from '@hearth/service-kit/logger';
import { expect, test } from '@jest/globals';
import { WrongPassphrase } from '../keys/unlock-key-file.js';
import { createVaultSwitch } from './vault-switch.js';

/** A sealed vault whose passphrase is looked at when the test says so, and is never right. */
function sealedVault() {
  let judge: () => void = () => undefined;
  const judged = new Promise<void>((resolve) => {
    judge = resolve;
  });
  const vault = createVaultSwitch({
    unlock: async () => {
      await judged;
      throw new WrongPassphrase('no');
    },
    open: () => Promise.reject(new Error('it never comes to that')),
    canUnseal: () => true,
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
  });
  let tried = 0;
  const count = async () => {
    tried += 1;
  };
  const codeFor = (address: string) =>
    vault
      .unseal({ passphrase: 'x', address, count, request: { requestId: 'r', ip: address, userAgent: null } })
      .then(
        () => 'unsealed',
        (error: { code?: string }) => error.code,
      );
  return { codeFor, judge, tried: () => tried };
}

const times = (count: number, code: string) => Array.from({ length: count }, () => code);

test('one passphrase of an address is in line at a time, and only what is tried counts', async () => {
  const { codeFor, judge, tried } = sealedVault();
  const answers = Array.from({ length: 7 }, () => codeFor('192.0.2.1'));
  expect(await Promise.all(answers.slice(1))).toEqual(times(6, 'rate_limited'));
  judge();
  expect(await answers[0]).toBe('wrong_passphrase');
  expect(await codeFor('192.0.2.1')).toBe('wrong_passphrase');
  expect(tried()).toBe(2);
});

test('few addresses are in line in all', async () => {
  const { codeFor, judge } = sealedVault();
  const answers = Array.from({ length: 10 }, (_, n) => codeFor(`198.51.100.${n}`));
  expect(await Promise.all(answers.slice(8))).toEqual(times(2, 'rate_limited'));
  judge();
  expect(await Promise.all(answers.slice(0, 8))).toEqual(times(8, 'wrong_passphrase'));
});
