import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import type { PlainValue, ValueEncoding } from '../crypto/sealed-value.js';
import { VaultError } from '../errors/vault-error.js';

/** Reads a value as it came over the wire. A refusal says what is wrong with it and never repeats it. */
export function decodeValue(text: string, encoding: ValueEncoding, pointer = '/value'): PlainValue {
  const bytes = encoding === 'base64' ? fromBase64(text, pointer) : fromText(text, pointer);
  if (bytes.length > vaultLimits.valueBytes) {
    throw invalid(pointer, 'too_big', `must be at most ${vaultLimits.valueBytes} bytes`);
  }
  return { bytes, encoding };
}

export function encodeValue({ bytes, encoding }: PlainValue): string {
  return bytes.toString(encoding);
}

function fromText(text: string, pointer: string): Buffer {
  // A lone half of a pair would be stored as something else; no environment can hold a NUL.
  if (/\p{Surrogate}/u.test(text)) throw invalid(pointer, 'invalid_text', 'must be well-formed Unicode');
  if (text.includes('\0')) {
    throw invalid(pointer, 'invalid_text', 'must not hold a NUL character; send bytes with encoding base64');
  }
  return Buffer.from(text, 'utf8');
}

function fromBase64(text: string, pointer: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw invalid(pointer, 'invalid_base64', 'must be base64 with padding');
  return bytes;
}

function invalid(pointer: string, code: string, detail: string): VaultError {
  return new VaultError('validation_failed', `The value ${detail}.`, { errors: [{ pointer, code, detail }] });
}
