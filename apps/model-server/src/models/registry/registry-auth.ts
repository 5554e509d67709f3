import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpClient, HttpReply } from '../transfer/http-client.js';
import { errorForStatus, TransferError } from '../transfer/transfer-error.js';
import { parseBearerChallenge } from './auth-challenge.js';
import type { RegistryIdentity } from './registry-identity.js';

const tokenSchema = z.object({ token: z.string().min(1).max(64_000) });

/** The token for one repository of one registry, fetched when the registry asks for one. */
export class RegistryAuth {
  private token: string | undefined;

  constructor(
    private readonly options: {
      readonly client: HttpClient;
      readonly identity: RegistryIdentity;
      readonly registry: URL;
      readonly allowPlainHttp: boolean;
    },
  ) {}

  get authorization(): string | undefined {
    return this.token === undefined ? undefined : `Bearer ${this.token}`;
  }

  /** Answers a 401; false when its challenge is not one that a token can meet. */
  async answer(reply: HttpReply, signal: AbortSignal): Promise<boolean> {
    const challenge = parseBearerChallenge(reply.headers['www-authenticate']);
    if (!challenge) return false;
    const { client, identity, registry, allowPlainHttp } = this.options;
    const url = this.realmUrl(challenge.realm);
    if (challenge.service !== undefined) url.searchParams.set('service', challenge.service);
    for (const scope of challenge.scopes) url.searchParams.append('scope', scope);
    // The signed proof of who we are goes to the registry itself and to nobody else it may name.
    const isRegistry = url.host === registry.host;
    if (isRegistry) {
      url.searchParams.set('ts', String(Math.floor(Date.now() / 1000)));
      url.searchParams.set('nonce', randomBytes(16).toString('base64url'));
    }
    const authorization = isRegistry ? await identity.authorizationFor(url) : undefined;
    const answer = await client.follow({ url, authorization, signal }, { allowPlainHttp });
    if (answer.status !== 200) {
      answer.body.resume();
      throw errorForStatus(answer.status, answer.headers, `${url.host} gave no access token`);
    }
    try {
      this.token = tokenSchema.parse(JSON.parse(await client.readText(answer, 256_000))).token;
    } catch (error) {
      throw new TransferError(`${url.host} gave no access token`, { retryable: false, cause: error });
    }
    return true;
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
