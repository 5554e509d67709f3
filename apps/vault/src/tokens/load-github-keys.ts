import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartupError } from '@hearth/service-kit/startup-error';
import { z } from 'zod';
import type { GitHubKeys } from '../crypto/github-signature.js';

const keysSchema = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string().min(1), key: z.string() })).min(1),
});

/** Reads the keys from a file that holds what https://api.github.com/meta/public_keys/secret_scanning answers. */
export function loadGitHubKeys(file: string | undefined): GitHubKeys {
  if (file === undefined) return new Map();
  const { public_keys: keys } = contentOf(file);
  return new Map(keys.map(({ key_identifier: identifier, key }) => [identifier, publicKeyOf(file, key)]));
}

function contentOf(file: string): z.infer<typeof keysSchema> {
  try {
    return keysSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as { code?: unknown };
    const reason = typeof code === 'string' ? code : 'not in the form of GitHub’s API';
    throw new StartupError(`GITHUB_LEAK_KEYS_FILE: ${file} cannot be read (${reason})`);
  }
}

function publicKeyOf(file: string, text: string): KeyObject {
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The same for whatever is no key at all.
  }
  throw new StartupError(
    `GITHUB_LEAK_KEYS_FILE: ${file} holds a key that is not a public key on the curve P-256`,
  );
}
