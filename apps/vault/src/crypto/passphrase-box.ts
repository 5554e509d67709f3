import { z } from 'zod';
import {
  acceptableParameters,
  keyFromPassphrase,
  newPassphraseParameters,
  type PassphraseParameters,
} from './passphrase-key.js';
import { seal, unseal } from './sealed-box.js';

/** Something sealed under a passphrase, as it stands in a file: with all that is needed to try a passphrase on it. */
export interface PassphraseBox {
  readonly kdf: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly sealed: string;
}

/** The same, read and judged. */
export interface ReadBox {
  readonly parameters: PassphraseParameters;
  readonly sealed: Buffer;
}

/** What a passphrase became for one salt: opens and seals without the passphrase, and without its slow work. */
export interface PassphraseKey {
  readonly parameters: PassphraseParameters;
  readonly key: Buffer;
}

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const boxSchema = z.object({
  kdf: z.literal('scrypt'),
  n: z.number(),
  r: z.number(),
  p: z.number(),
  salt: base64,
  sealed: base64,
});

/** Undefined for what is damaged, of a newer kind, or would cost more memory than anybody asks for in earnest. */
export function readPassphraseBox(value: unknown): ReadBox | undefined {
  const parsed = boxSchema.safeParse(value);
  if (!parsed.success || !acceptableParameters(parsed.data)) return undefined;
  const { n, r, p, salt, sealed } = parsed.data;
  return { parameters: { n, r, p, salt }, sealed };
}

export async function passphraseKeyFor(
  passphrase: string,
  parameters: PassphraseParameters = newPassphraseParameters(),
): Promise<PassphraseKey> {
  return { parameters, key: await keyFromPassphrase(passphrase, parameters) };
}

export function sealInBox({ parameters, key }: PassphraseKey, plain: Buffer, context: string): PassphraseBox {
  const { n, r, p, salt } = parameters;
  const sealed = seal(key, plain, withParameters(context, parameters));
  return { kdf: 'scrypt', n, r, p, salt: salt.toString('base64'), sealed: sealed.toString('base64') };
}

/** Throws an UnsealError for another passphrase, another context, and for every changed byte. */
export function openBox({ key }: PassphraseKey, { parameters, sealed }: ReadBox, context: string): Buffer {
  return unseal(key, sealed, withParameters(context, parameters));
}

function withParameters(context: string, { n, r, p }: PassphraseParameters): string {
  return `${context}|${n}|${r}|${p}`;
}
