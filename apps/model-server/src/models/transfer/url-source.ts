import type { DownloadSource, RangeReply } from './download-source.js';
import type { HttpClient, HttpReply } from './http-client.js';
import { errorForStatus, TransferError } from './transfer-error.js';

/** What of a refusal says how it can be met. */
export interface Challenge {
  readonly headers: { readonly 'www-authenticate'?: string | undefined };
}

export interface UrlSourceOptions {
  readonly client: HttpClient;
  readonly url: URL;
  /** Asked again before each visit to `url`, because tokens run out during a long download. */
  readonly authorization: (signal: AbortSignal) => Promise<string | undefined>;
  /** Told about a 401 of the first host, so that a new token is fetched. */
  readonly onUnauthorized?: (reply: Challenge, signal: AbortSignal) => Promise<boolean>;
  readonly allowPlainHttp: boolean;
}

const expiredStatuses = new Set([400, 401, 403, 404, 410]);

/**
 * Ranges of one web address. Where it redirects to (a storage network, mostly) is remembered and asked directly from
 * then on, without credentials; when that address stops working, its lifetime over, the first one is asked again.
 */
export class UrlSource implements DownloadSource {
  private storage: URL | undefined;

  constructor(readonly options: UrlSourceOptions) {}

  async open(range: { start: number; end: number }, signal: AbortSignal): Promise<RangeReply> {
    const headers = { range: `bytes=${range.start}-${range.end - 1}`, 'accept-encoding': 'identity' };
    const reply = await this.request(headers, signal);
    if (reply.status === 200) {
      return { body: reply.body, partial: false, start: 0, totalBytes: lengthOf(reply) };
    }
    const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(reply.headers['content-range'] ?? '');
    if (!match) {
      reply.body.destroy();
      throw new TransferError(`${reply.url.host} sent a part without saying which`, { retryable: false });
    }
    const totalBytes = match[3] === '*' ? undefined : Number(match[3]);
    return { body: reply.body, partial: true, start: Number(match[1]), totalBytes };
  }

  private async request(headers: Record<string, string>, signal: AbortSignal): Promise<HttpReply> {
    const { client, allowPlainHttp } = this.options;
    if (this.storage) {
      const reply = await client.follow({ url: this.storage, headers, signal }, { allowPlainHttp });
      if (reply.status === 200 || reply.status === 206) return reply;
      reply.body.resume();
      this.storage = undefined;
      if (!expiredStatuses.has(reply.status)) throw this.failure(reply);
    }
    for (let attempt = 0; ; attempt += 1) {
      const authorization = await this.options.authorization(signal);
      const reply = await client.follow(
        { url: this.options.url, headers, authorization, signal },
        { allowPlainHttp },
      );
      if (reply.status === 200 || reply.status === 206) {
        if (reply.url.origin !== this.options.url.origin) this.storage = reply.url;
        return reply;
      }
      reply.body.resume();
      const mayRetry = attempt === 0 && reply.status === 401 && reply.url.origin === this.options.url.origin;
      if (!mayRetry || !(await this.options.onUnauthorized?.(reply, signal))) throw this.failure(reply);
    }
  }

  private failure(reply: HttpReply): TransferError {
    const what = `download from ${reply.url.host}`;
    const isStorage = reply.url.origin !== this.options.url.origin;
    // Storage addresses are signed and run out: what they refuse now, a fresh one may give.
    if (isStorage && expiredStatuses.has(reply.status)) {
      return new TransferError(`${what}: the server answered ${reply.status}`, {
        status: reply.status,
        retryable: true,
      });
    }
    return errorForStatus(reply.status, reply.headers, what);
  }
}

function lengthOf(reply: HttpReply): number | undefined {
  const length = Number(reply.headers['content-length']);
  return Number.isSafeInteger(length) ? length : undefined;
}
