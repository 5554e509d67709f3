import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { finished, type Readable } from 'node:stream';
import { commandError, noServerExitCode } from './command-context.js';

export interface ServerClientOptions {
  /** Asked when it is needed: a bad address must not stop a command that talks to nobody. */
  readonly address: () => string;
  readonly apiKey?: string | undefined;
}

interface Sending {
  readonly body?: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Who has not taken the call by then is not there. */
const connectMs = 10_000;

/**
 * Talks to a running server and turns everything that can go wrong into one clear line. Sits on node:http, because
 * fetch gives up after five silent minutes, and a large model may need longer to load.
 */
export class ServerClient {
  constructor(private readonly options: ServerClientOptions) {}

  get baseUrl(): string {
    return this.options.address();
  }

  async json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const text = await this.text(await this.send(method, path, body, signal));
    return text === '' ? ({} as T) : this.parse<T>(text);
  }

  /** Whether something is there; any other answer than 200 or 404 is an error. */
  async exists(path: string): Promise<boolean> {
    const reply = await this.request('HEAD', path, {});
    const { statusCode } = reply;
    if (statusCode !== 200 && statusCode !== 404) throw await this.failure(reply);
    reply.resume();
    return statusCode === 200;
  }

  /** The objects of a streamed reply, one by one; an error object ends it with a throw. */
  async *lines<T extends object>(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<T> {
    const reply = await this.send('POST', path, body, signal);
    let rest = '';
    for await (const part of this.parts(reply, signal)) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield this.parseLine<T>(line);
    }
    if (rest.trim() !== '') yield this.parseLine<T>(rest);
  }

  async upload(path: string, content: Readable, sizeBytes: number): Promise<void> {
    const headers = { 'content-length': String(sizeBytes) };
    const reply = await this.request('POST', path, { body: content, headers });
    if (!isFine(reply)) throw await this.failure(reply);
    await this.text(reply);
  }

  private async send(
    method: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const reply = await this.request(method, path, {
      ...(json === undefined ? {} : { body: json, headers: jsonHeaders(json) }),
      signal,
    });
    if (!isFine(reply)) throw await this.failure(reply);
    return reply;
  }

  private async request(method: string, path: string, sending: Sending): Promise<IncomingMessage> {
    const { baseUrl } = this;
    const { apiKey } = this.options;
    const { body, signal } = sending;
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = (baseUrl.startsWith('https:') ? https : http).request(baseUrl + path, {
        method,
        // A connection of its own each time: one kept for later may be closed just when it is used.
        agent: false,
        headers: { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...sending.headers },
        ...(signal ? { signal } : {}),
      });
      const patience = setTimeout(() => outgoing.destroy(new Error('nobody takes the call')), connectMs);
      outgoing.on('socket', (socket) => socket.once('connect', () => clearTimeout(patience)));
      outgoing.on('close', () => clearTimeout(patience));
      outgoing.on('error', (error) => reject(signal?.aborted ? error : notReached(baseUrl, error)));
      outgoing.on('response', resolve);
      if (body === undefined || typeof body === 'string') {
        outgoing.end(body);
        return;
      }
      body.on('error', (error) => outgoing.destroy(error));
      // A server may refuse before it has read everything; what is left of the body is then not worth reading.
      finished(outgoing, { readable: false }, () => body.destroy());
      body.pipe(outgoing);
    });
  }

  private async text(reply: IncomingMessage): Promise<string> {
    let text = '';
    for await (const part of this.parts(reply)) text += part;
    return text;
  }

  private async *parts(reply: IncomingMessage, signal?: AbortSignal): AsyncGenerator<string> {
    try {
      yield* reply.setEncoding('utf8') as AsyncIterable<string>;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw commandError(`the connection to ${this.baseUrl} broke off before the answer was complete`);
    }
  }

  private parseLine<T extends object>(line: string): T {
    const value = this.parse<T | { readonly error: unknown }>(line);
    if ('error' in value) throw new ServerReplyError(200, String(value.error));
    return value;
  }

  private parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T;
    } catch {
      throw commandError(`${this.baseUrl} does not answer like a model server: is HEARTH_HOST right?`);
    }
  }

  private async failure(reply: IncomingMessage): Promise<Error> {
    const { baseUrl } = this;
    const { statusCode = 0 } = reply;
    const { location } = reply.headers;
    const text = await this.text(reply);
    if (statusCode === 401) {
      return commandError(
        this.options.apiKey
          ? `${baseUrl} does not accept the key in HEARTH_API_KEY`
          : `${baseUrl} wants a key: set HEARTH_API_KEY`,
      );
    }
    if (statusCode < 400 && location !== undefined) {
      return commandError(`${baseUrl} redirects to ${location}: set HEARTH_HOST to where the server is`);
    }
    const message = errorText(text);
    if (message !== undefined) return new ServerReplyError(statusCode, message);
    return commandError(
      `${baseUrl} answered ${statusCode}, but not like a model server: is HEARTH_HOST right?`,
    );
  }
}

/** The server understood and refused. Its own words go to the terminal as they are. */
export class ServerReplyError extends Error {
  override readonly name = 'ServerReplyError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const notThere = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

function notReached(baseUrl: string, error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || notThere.has(code)) {
    return commandError(
      `no server answers at ${baseUrl}; start one with "hearth serve", or set HEARTH_HOST to where it runs`,
      noServerExitCode,
    );
  }
  return commandError(`cannot talk to ${baseUrl}: ${error.message.split('\n')[0]}`, noServerExitCode);
}

/** The length is named because node:http names none with a DELETE. */
function jsonHeaders(json: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) };
}

function isFine({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function errorText(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
