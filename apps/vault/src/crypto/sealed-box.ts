import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM with the pieces in one blob: format byte 0x01, iv of 12, ciphertext, tag of 16. `context` is
 * authenticated and not stored: a blob moved to another place does not open there.
 */
const format = 0x01;
const ivBytes = 12;
const tagBytes = 16;
export const boxOverhead = 1 + ivBytes + tagBytes;

/** A blob that does not open: wrong key, wrong place, or changed bytes. It never says which, nor what was inside. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';

  constructor() {
    super('sealed data does not open: wrong key, wrong place or damaged');
  }
}

export function seal(key: Buffer, plaintext: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(format), iv, ciphertext, cipher.getAuthTag()]);
}

export function unseal(key: Buffer, blob: Buffer, context: string): Buffer {
  if (blob.length < boxOverhead || blob[0] !== format) throw new UnsealError();
  // Without authTagLength Node accepts a tag of four bytes, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(1, 1 + ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(blob.subarray(blob.length - tagBytes));
  // All of it comes from `update`, as the mode has no blocks: one buffer, which its user can wipe.
  const plaintext = decipher.update(blob.subarray(1 + ivBytes, blob.length - tagBytes));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw new UnsealError();
  }
  return plaintext;
}
