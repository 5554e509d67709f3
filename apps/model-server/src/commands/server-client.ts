import type { Readable } from 'node:stream';
import { commandError, noServerExitCode } from './command-context.js';

export interface ServerClientOptions {
  /** Asked when it is needed: a bad address must not stop a command that talks to nobody. */
  readonly address: () => string;
  readonly apiKey?: string | undefined;
}

/** Talks to a running server and turns everything that can go wrong into one clear line. */
export class ServerClient {
  constructor(private readonly options: ServerClientOptions) {}

  get baseUrl(): string {
    return this.options.address();
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  /** Whether something is there; any other answer than 200 or 404 is an error. */
  async exists(path: string): Promise<boolean> {
    const response = await this.request('HEAD', path, {});
    if (response.status === 200 || response.status === 404) return response.status === 200;
    throw await this.failure(response);
  }

  /** The objects of a streamed reply, one by one; an error object ends it with a throw. */
  async *lines<T extends object>(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<T> {
    const response = await this.send('POST', path, body, signal);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(part, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield parseLine<T>(line);
    }
    if (rest.trim() !== '') yield parseLine<T>(rest);
  }

  async upload(path: string, content: Readable, sizeBytes: number): Promise<void> {
    const response = await this.request('POST', path, {
      body: content as unknown as ReadableStream,
      headers: { 'content-length': String(sizeBytes) },
      duplex: 'half',
    });
    if (!response.ok) throw await this.failure(response);
    await response.arrayBuffer();
  }

  private async send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const response = await this.request(method, path, {
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await this.failure(response);
    return response;
  }

  private async request(
    method: string,
    path: string,
    init: RequestInit & { duplex?: 'half' },
  ): Promise<Response> {
    const { baseUrl } = this;
    const { apiKey } = this.options;
    const headers = new Headers(init.headers);
    if (apiKey) headers.set('authorization', `Bearer ${apiKey}`);
    try {
      return await fetch(baseUrl + path, { ...init, method, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw commandError(
        `no server answers at ${baseUrl}; start one with "hearth serve", or set HEARTH_HOST to where it runs`,
        noServerExitCode,
      );
    }
  }

  private async failure(response: Response): Promise<Error> {
    const text = await response.text();
    if (response.status === 401) {
      return commandError(
        this.options.apiKey
          ? `${this.baseUrl} does not accept the key in HEARTH_API_KEY`
          : `${this.baseUrl} wants a key: set HEARTH_API_KEY`,
      );
    }
    return new ServerReplyError(response.status, errorText(text) ?? `the server answered ${response.status}`);
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

function parseLine<T extends object>(line: string): T {
  const value = JSON.parse(line) as T | { readonly error: unknown };
  if ('error' in value) throw new ServerReplyError(200, String(value.error));
  return value;
}

function errorText(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
