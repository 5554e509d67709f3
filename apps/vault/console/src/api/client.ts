import type { Problem } from '@hearth/protocol-types/vault/problem';
import { ApiProblem, Unreachable } from './problem.js';

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a string goes as plain text. */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The caller is asking just this: being signed out is an answer, not a surprise. */
  readonly mayBeSignedOut?: boolean;
}

/** Told whenever a call shows that nobody is signed in any more. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Told whenever a call shows that the vault is sealed. */
let onSealed: () => void = () => undefined;

export function whenSealed(listener: () => void): void {
  onSealed = listener;
}

/** One call to the vault. Cookies identify us; the extra header proves that the call comes from these pages. */
export async function callApi(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', body, query, headers, signal } = options;
  const isText = typeof body === 'string';
  const response = await fetch(withQuery(path, query), {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'error',
    headers: {
      accept: 'application/json',
      'x-hearth-console': '1',
      ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable();
  });
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (response.status === 401 && !options.mayBeSignedOut) onSignedOut();
  if (problem.code === 'sealed') onSealed();
  throw new ApiProblem(response.status, problem, response.headers.get('retry-after'));
}

export async function callJson<Reply>(path: string, options?: CallOptions): Promise<Reply> {
  const response = await callApi(path, options);
  return (await response.json()) as Reply;
}

/** A list with all its pages. */
export async function callAllPages<Item>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const response: Response = await callApi(next);
    items.push(...((await response.json()) as Item[]));
    next = nextLink(response.headers.get('link'));
  }
  return items;
}

/** The path of `rel="next"` in a Link header; only ever a path of our own. */
export function nextLink(header: string | null): string | undefined {
  const found = /<([^>]+)>\s*;\s*rel="?next"?/.exec(header ?? '')?.[1];
  if (found === undefined) return undefined;
  const { pathname, search } = new URL(found, 'http://self.invalid');
  return pathname + search;
}

/** A path with each part made safe. */
export function pathOf(strings: TemplateStringsArray, ...parts: readonly string[]): string {
  return strings.reduce((path, text, index) => path + encodeURIComponent(parts[index - 1] ?? '') + text);
}

export function withQuery(path: string, query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

async function readProblem(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    return {};
  }
}
