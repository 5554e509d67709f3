export type GeneratorKind = 'password' | 'hex' | 'base64' | 'uuid';

export interface GeneratorOptions {
  readonly kind: GeneratorKind;
  /** Characters of a password; bytes of hex and base64. */
  readonly length: number;
  readonly symbols: boolean;
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
/** None that a shell, a URL or a .env file would need escaped. */
const symbols = '-_.~!*+=:@%^';

export const lengthLimits = {
  password: { min: 12, max: 128, start: 32 },
  hex: { min: 8, max: 64, start: 32 },
  base64: { min: 8, max: 64, start: 32 },
} as const;

/** A random value from the browser's own generator for keys. */
export function generateValue({ kind, length, symbols: withSymbols }: GeneratorOptions): string {
  switch (kind) {
    case 'uuid':
      return uuidOf(randomBytes(16));
    case 'hex':
      return [...randomBytes(length)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    case 'base64':
      return btoa(String.fromCharCode(...randomBytes(length)));
    case 'password':
      return pick(withSymbols ? letters + symbols : letters, length);
    default:
      return kind satisfies never;
  }
}

/** Each character is as likely as the others: bytes beyond the last whole round are thrown away. */
function pick(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** Made here, because randomUUID exists on https and localhost only. */
function uuidOf(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
