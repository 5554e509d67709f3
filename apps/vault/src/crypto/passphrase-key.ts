import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';

/** How a key was made from a passphrase: kept beside what it seals, so that later versions may ask for more work. */
export interface PassphraseParameters {
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
}

const keyBytes = 32;
const saltBytes = 16;
// Parameters come from a file that anyone may have changed: they must not make this process take all memory.
const mostMemory = 2 ** 30;
const mostParallel = 16;

export function newPassphraseParameters(): PassphraseParameters {
  return { n: 2 ** 17, r: 8, p: 1, salt: randomBytes(saltBytes) };
}

export function acceptableParameters({ n, r, p, salt }: PassphraseParameters): boolean {
  const whole = [n, r, p].every((count) => Number.isSafeInteger(count) && count > 0);
  const powerOfTwo = n > 1 && Number.isInteger(Math.log2(n));
  return (
    whole && powerOfTwo && memoryFor(n, r) <= mostMemory && p <= mostParallel && salt.length >= saltBytes
  );
}

/** Slow and hungry on purpose (scrypt): each guess at the passphrase costs 128 MiB and about half a second. */
export function keyFromPassphrase(passphrase: string, parameters: PassphraseParameters): Promise<Buffer> {
  const { n, r, p, salt } = parameters;
  // Twice what the table takes: the default limit of 32 MiB would refuse, and the exact sum depends on the library.
  const options: ScryptOptions = { N: n, r, p, maxmem: 2 * memoryFor(n, r) };
  return new Promise((resolve, reject) => {
    // The same letters may be typed as different code points on another machine.
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function memoryFor(n: number, r: number): number {
  return 128 * n * r;
}
