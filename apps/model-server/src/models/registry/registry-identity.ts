import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoreFolder } from '../store/store-folder.js';

/**
 * The key pair by which the runner's own registry knows a machine. It is made when a registry first asks for it;
 * whoever wants to push registers the public half with the registry.
 */
export class RegistryIdentity {
  private loading: Promise<KeyObject> | undefined;

  constructor(private readonly folder: StoreFolder) {}

  /** The `Authorization` value for fetching a token from this address. */
  async authorizationFor(url: URL): Promise<string> {
    const key = await this.privateKey();
    const emptyBodyHash = createHash('sha256').update('').digest('hex');
    const message = `GET,${url.href},${Buffer.from(emptyBodyHash).toString('base64')}`;
    const signature = sign(null, Buffer.from(message), key);
    return `${sshPublicKey(key)}:${signature.toString('base64')}`;
  }

  /** One line in the form of `authorized_keys`, to be registered by its owner. */
  async publicKeyLine(): Promise<string> {
    return `ssh-ed25519 ${sshPublicKey(await this.privateKey())}`;
  }

  private async privateKey(): Promise<KeyObject> {
    this.loading ??= this.loadOrMake().catch((error: unknown) => {
      // What stood in the way may be gone the next time.
      this.loading = undefined;
      throw error;
    });
    return await this.loading;
  }

  private async loadOrMake(): Promise<KeyObject> {
    const file = path.join(this.folder.own, 'registry-key.pem');
    try {
      return createPrivateKey(await readFile(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    await this.folder.publish(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
    return privateKey;
  }
}

function sshPublicKey(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x, 'base64url')];
  const withLengths = parts.flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return Buffer.concat(withLengths).toString('base64');
}
