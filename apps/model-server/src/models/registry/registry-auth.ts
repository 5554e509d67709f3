import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpClient } from '../transfer/http-client.js';
import { errorForStatus, TransferError } from '../transfer/transfer-error.js';
import type { Challenge } from '../transfer/url-source.js';
import { parseBearerChallenge } from './auth-challenge.js';
import type { RegistryCredentials } from './registry-credentials.js';
import type { RegistryIdentity } from './registry-identity.js';

const tokenText = z.string().min(1).max(64_000);
/** Registries say `token`, or `access_token` as OAuth does, or both. */
const tokenSchema = z
  .object({ token: tokenText.optional(), access_token: tokenText.optional() })
  .transform(({ token, access_token }) => token ?? access_token)
  .pipe(tokenText);

/** What opens one repository of one registry, fetched when the registry asks: a token, or a user name and password. */
export class RegistryAuth {
  authorization: string | undefined;

  constructor(
    private readonly options: {
      readonly client: HttpClient;
      readonly identity: RegistryIdentity;
      readonly credentials: RegistryCredentials;
      readonly registry: URL;
      readonly allowPlainHttp: boolean;
    },
  ) {}

  /** Answers a 401; false when its challenge cannot be met. */
  async answer(reply: Challenge, signal: AbortSignal): Promise<boolean> {
    const header = reply.headers['www-authenticate'];
    const challenge = parseBearerChallenge(header);
    if (!challenge) return /^Basic\b/i.test(header ?? '') && (await this.logIn());
    const { client, allowPlainHttp } = this.options;
    const url = this.realmUrl(challenge.realm);
    if (challenge.service !== undefined) url.searchParams.set('service', challenge.service);
    for (const scope of challenge.scopes) url.searchParams.append('scope', scope);
    const authorization = await this.proofFor(url);
    const answer = await client.follow({ url, authorization, signal }, { allowPlainHttp });
    if (answer.status !== 200) {
      answer.body.resume();
      throw errorForStatus(answer.status, answer.headers, `${url.host} gave no access token`);
    }
    try {
      const token = tokenSchema.parse(JSON.parse(await client.readText(answer, 256_000)));
      this.authorization = `Bearer ${token}`;
    } catch (error) {
      throw new TransferError(`${url.host} gave no access token`, { retryable: false, cause: error });
    }
    return true;
  }

  private async logIn(): Promise<boolean> {
    const { credentials, registry } = this.options;
    const basic = await credentials.basicFor(registry.host);
    if (basic === undefined) {
      throw new TransferError(
        `${registry.host} asks for a user name and password: log in there with a tool that writes ` +
          'a login file, and name that file in HEARTH_REGISTRY_AUTH_FILE',
        { retryable: false },
      );
    }
    // The same again would be refused again.
    if (this.authorization === basic) return false;
    this.authorization = basic;
    return true;
  }

  /**
   * What shows the place for tokens who we are: the login for the registry, wherever the registry keeps that place, or
   * our signature if it is the registry itself. A login that the file has for the place's own host is for the registry
   * there: the token goes back to whoever named the place, and would open that other registry to them.
   */
  private async proofFor(url: URL): Promise<string | undefined> {
    const { credentials, identity, registry } = this.options;
    const isLessGuarded = url.protocol === 'http:' && registry.protocol === 'https:';
    const basic = isLessGuarded ? undefined : await credentials.basicFor(registry.host);
    if (basic !== undefined || url.host !== registry.host) return basic;
    url.searchParams.set('ts', String(Math.floor(Date.now() / 1000)));
    url.searchParams.set('nonce', randomBytes(16).toString('base64url'));
    return await identity.authorizationFor(url);
  }

  private realmUrl(realm: string): URL {
    let url: URL | undefined;
    try {
      url = new URL(realm);
    } catch {
      url = undefined;
    }
    const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && this.options.allowPlainHttp);
    if (url && fits) return url;
    throw new TransferError(`${this.options.registry.host} names a place for tokens that cannot be used`, {
      retryable: false,
    });
  }
}
