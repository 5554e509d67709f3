import { z } from 'zod';
import { GenerationError } from '../../generation/generation-error.js';
import { type RetryPolicy, withRetries } from '../transfer/back-off.js';
import type { HttpClient, HttpReply } from '../transfer/http-client.js';
import { namedAddress } from '../transfer/named-address.js';
import { errorForStatus, TransferError } from '../transfer/transfer-error.js';
import { UrlSource } from '../transfer/url-source.js';
import type { HubFile } from './choose-gguf.js';

export interface HubSettings {
  /** `https://huggingface.co`, or a mirror of it. */
  readonly endpoint: string;
  readonly token: string | undefined;
}

const refsSchema = z.object({
  branches: z.array(z.object({ name: z.string(), targetCommit: z.string().regex(/^[0-9a-f]{7,64}$/) })),
});

const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string().max(1000),
    size: z.number().int().nonnegative().optional(),
    lfs: z
      .object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() })
      .optional(),
  }),
);

const maxReplyBytes = 16 * 1024 * 1024;
const maxPages = 50;

/** One repository of a Hugging Face hub, read at the commit that `main` points to when the pull begins. */
export class HubRepository {
  private readonly endpoint: URL;

  constructor(
    private readonly options: {
      readonly client: HttpClient;
      readonly settings: HubSettings;
      /** `user/repository` */
      readonly id: string;
      readonly insecure: boolean;
      readonly retries: RetryPolicy;
    },
  ) {
    this.endpoint = new URL(options.settings.endpoint);
    if (this.endpoint.protocol === 'http:' && !options.insecure) {
      throw new GenerationError(
        'invalid-request',
        'insecure protocol http: the hub (HF_ENDPOINT) has no TLS; set "insecure" (--insecure) to allow it',
        { param: 'insecure' },
      );
    }
  }

  async commit(signal: AbortSignal): Promise<string> {
    const { body } = await this.getJson(this.url(`api/models/${this.options.id}/refs`), refsSchema, signal);
    const main = body.branches.find((branch) => branch.name === 'main') ?? body.branches[0];
    if (!main) throw this.notFound();
    return main.targetCommit;
  }

  async files(commit: string, signal: AbortSignal): Promise<readonly HubFile[]> {
    const files: HubFile[] = [];
    let next: URL | undefined = this.url(`api/models/${this.options.id}/tree/${commit}?recursive=true`);
    for (let page = 0; next && page < maxPages; page += 1) {
      const { body, reply }: { body: z.output<typeof treeSchema>; reply: HttpReply } = await this.getJson(
        next,
        treeSchema,
        signal,
      );
      for (const item of body) {
        if (item.type !== 'file') continue;
        files.push({ path: item.path, sizeBytes: item.lfs?.size ?? item.size ?? 0, sha256: item.lfs?.oid });
      }
      next = this.nextPage(reply);
    }
    return files;
  }

  file(commit: string, file: HubFile): UrlSource {
    return new UrlSource({
      client: this.options.client,
      url: this.fileUrl(commit, file),
      authorization: async () => this.authorization,
      allowPlainHttp: this.options.insecure,
    });
  }

  async text(commit: string, file: HubFile, maxBytes: number, signal: AbortSignal): Promise<string> {
    const { client } = this.options;
    return await withRetries(this.options.retries, signal, async () =>
      client.readText(await this.get(this.fileUrl(commit, file), signal), maxBytes),
    );
  }

  private async getJson<Schema extends z.ZodType>(
    url: URL,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<{ body: z.output<Schema>; reply: HttpReply }> {
    const { client, retries } = this.options;
    return await withRetries(retries, signal, async () => {
      const reply = await this.get(url, signal);
      const text = await client.readText(reply, maxReplyBytes);
      try {
        return { body: schema.parse(JSON.parse(text)), reply };
      } catch (error) {
        throw new TransferError(`${url.host} sent an answer that cannot be read`, {
          retryable: false,
          cause: error,
        });
      }
    });
  }

  private async get(url: URL, signal: AbortSignal): Promise<HttpReply> {
    const reply = await this.options.client.follow(
      { url, authorization: this.authorization, signal },
      { allowPlainHttp: this.options.insecure },
    );
    if (reply.status === 200) return reply;
    reply.body.resume();
    if (reply.status === 401 || reply.status === 403) throw this.noAccess();
    if (reply.status === 404) throw this.notFound();
    throw errorForStatus(reply.status, reply.headers, `pull from ${url.host}`);
  }

  private noAccess(): GenerationError {
    const advice = this.options.settings.token
      ? 'the HF_TOKEN of this server may not read it; a gated model must first be accepted on its page'
      : 'it does not exist, or is private or gated: start the server with HF_TOKEN set';
    return new GenerationError('model-not-found', `cannot read ${this.options.id}: ${advice}`, {
      param: 'model',
    });
  }

  private notFound(): GenerationError {
    return new GenerationError(
      'model-not-found',
      `pull model manifest: file does not exist (no repository ${this.options.id} on ${this.endpoint.host})`,
      { param: 'model' },
    );
  }

  private get authorization(): string | undefined {
    const { token } = this.options.settings;
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  private url(path: string): URL {
    return new URL(path, `${this.endpoint.href.replace(/\/+$/, '')}/`);
  }

  private fileUrl(commit: string, file: HubFile): URL {
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    return this.url(`${this.options.id}/resolve/${commit}/${path}`);
  }

  /** Pages beyond the first are named in the `Link` header; only the hub itself may name them. */
  private nextPage(reply: HttpReply): URL | undefined {
    const { link } = reply.headers;
    const address = /<([^>]+)>;\s*rel="next"/.exec(Array.isArray(link) ? link.join() : (link ?? ''))?.[1];
    if (address === undefined) return undefined;
    const url = namedAddress(address, reply.url);
    return url.origin === this.endpoint.origin ? url : undefined;
  }
}
