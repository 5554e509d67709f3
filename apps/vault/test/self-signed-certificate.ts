import { createSign, generateKeyPairSync } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for 127.0.0.1 that nobody but its maker trusts, made anew for each run so that no key lies about. */
export function selfSignedCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from('hearth test')))));
  const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  // subjectAltName with one iPAddress.
  const names = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(sequence(oid([0x55, 0x1d, 0x11]), der(0x04, names)));
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(-86_400_000), time(86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = createSign('sha256').update(facts).sign(privateKey);
  const whole = sequence(facts, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

/** One value in DER: its tag, the length of its content, its content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts));
const oid = (bytes: readonly number[]) => der(0x06, Buffer.from(bytes));

function time(offsetMs: number): Buffer {
  const text = new Date(Date.now() + offsetMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}
