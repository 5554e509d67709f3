import { GenerationError } from '../../generation/generation-error.js';
import type { ModelReference } from '../model-name.js';
import type { Digest } from '../store/digest.js';
import { manifestMediaType } from '../store/manifest.js';
import { type RetryPolicy, withRetries } from '../transfer/back-off.js';
import type { HttpClient, HttpReply, HttpRequest } from '../transfer/http-client.js';
import { errorForStatus } from '../transfer/transfer-error.js';
import { UrlSource } from '../transfer/url-source.js';
import { RegistryAuth } from './registry-auth.js';
import type { RegistryCredentials } from './registry-credentials.js';
import type { RegistryIdentity } from './registry-identity.js';

const maxManifestBytes = 4 * 1024 * 1024;

/** One repository of one registry that speaks the v2 protocol. */
export class RegistrySession {
  private readonly base: URL;
  private readonly auth: RegistryAuth;
  private readonly allowPlainHttp: boolean;

  constructor(
    private readonly options: {
      readonly client: HttpClient;
      readonly identity: RegistryIdentity;
      readonly credentials: RegistryCredentials;
      readonly reference: ModelReference;
      readonly insecure: boolean;
      readonly retries: RetryPolicy;
    },
  ) {
    const { reference, insecure, client, identity, credentials } = options;
    if (reference.scheme === 'http' && !insecure) {
      throw new GenerationError(
        'invalid-request',
        'insecure protocol http: set "insecure" (--insecure) to allow a registry without TLS',
        { param: 'insecure' },
      );
    }
    this.allowPlainHttp = insecure;
    this.base = new URL(
      `${reference.scheme}://${reference.host}/v2/${reference.namespace}/${reference.model}/`,
    );
    this.auth = new RegistryAuth({
      client,
      identity,
      credentials,
      registry: this.base,
      allowPlainHttp: insecure,
    });
  }

  /** Throws `model-not-found` when the registry does not have it. */
  async manifest(signal: AbortSignal): Promise<string> {
    const { client, reference, retries } = this.options;
    return await withRetries(retries, signal, async () => {
      const reply = await this.request({
        path: `manifests/${reference.tag}`,
        headers: { accept: manifestMediaType },
        signal,
      });
      if (reply.status === 200) return await client.readText(reply, maxManifestBytes);
      reply.body.resume();
      if (reply.status === 404) {
        throw new GenerationError('model-not-found', 'pull model manifest: file does not exist', {
          param: 'model',
        });
      }
      throw errorForStatus(reply.status, reply.headers, `pull model manifest from ${this.base.host}`);
    });
  }

  blob(digest: Digest): UrlSource {
    return new UrlSource({
      client: this.options.client,
      url: new URL(`blobs/${digest}`, this.base),
      authorization: async () => this.auth.authorization,
      onUnauthorized: (reply, signal) => this.auth.answer(reply, signal),
      allowPlainHttp: this.allowPlainHttp,
    });
  }

  /** One request below this repository (or to an address the registry gave), a challenge answered once. */
  async request(request: {
    readonly path: string | URL;
    readonly method?: HttpRequest['method'];
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: NonNullable<HttpRequest['body']>;
    readonly followRedirects?: boolean;
    readonly signal: AbortSignal;
  }): Promise<HttpReply> {
    const { path, method, headers, body, signal } = request;
    const url = typeof path === 'string' ? new URL(path, this.base) : path;
    for (let attempt = 0; ; attempt += 1) {
      const full: HttpRequest = {
        url,
        signal,
        ...(url.origin === this.base.origin ? { authorization: this.auth.authorization } : {}),
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      };
      const { client } = this.options;
      const reply = await (request.followRedirects === false
        ? client.send(full)
        : client.follow(full, { allowPlainHttp: this.allowPlainHttp }));
      if (reply.status !== 401 || attempt > 0 || reply.url.origin !== this.base.origin) return reply;
      reply.body.resume();
      if (!(await this.auth.answer(reply, signal))) return reply;
    }
  }

  get host(): string {
    return this.base.host;
  }
}
