import { generateKeyPairSync, sign } from 'node:crypto';

export interface TestCertificate {
  readonly key: string;
  readonly certificate: string;
}

const ecdsaWithSha256 = '06082a8648ce3d040302';
const commonName = '0603550403';
const subjectAltName = '0603551d11';
const day = 24 * 60 * 60 * 1000;

/** A certificate for 127.0.0.1 and one name, made on the spot: one that is kept would run out some day. */
export function selfSignedCertificate(hostName: string): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, hex(ecdsaWithSha256));
  const name = der(0x30, der(0x31, der(0x30, hex(commonName), der(0x0c, Buffer.from('hearth test')))));
  const hosts = der(0x30, der(0x82, Buffer.from(hostName)), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(0xa3, der(0x30, der(0x30, hex(subjectAltName), der(0x04, hosts))));
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    der(0x30, time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', content, privateKey);
  const whole = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element of the encoding that certificates are written in: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

function hex(bytes: string): Buffer {
  return Buffer.from(bytes, 'hex');
}
