import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

export type ProviderCallProblem = 'timeout' | 'too-large' | 'unreachable';

/** A call to a provider that gave no usable answer. It holds nothing of what was sent or received. */
export class ProviderCallError extends Error {
  override readonly name = 'ProviderCallError';

  constructor(readonly problem: ProviderCallProblem) {
    super(`the provider's answer: ${problem}`);
  }
}

const mostBytes = 256 * 1024;

type Callback = (
  error: ProviderCallError | { statusCode: number; data: string } | null,
  data?: string,
) => void;

interface HttpLibrary {
  request(options: RequestOptions): ClientRequest;
}

/** The part of the `oauth` package's client that sends requests. */
interface OAuthClient {
  useAuthorizationHeaderforGET(wanted: boolean): void;
  _executeRequest(library: HttpLibrary, options: RequestOptions, body: unknown, callback: Callback): void;
}

/**
 * The `oauth` package waits for ever, reads without end, and puts the access token into the address. Here a call ends
 * in time, an answer has a limit, a redirect is not an answer, and the token travels in a header.
 */
export function boundProviderCalls(client: unknown, timeoutMs: number): void {
  const oauth = client as OAuthClient;
  oauth.useAuthorizationHeaderforGET(true);
  oauth._executeRequest = (library, options, body, callback) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = library.request({ ...options, signal });
    let answered = false;
    const answer: Callback = (error, data) => {
      if (answered) return;
      answered = true;
      callback(error, data);
    };
    const fail = () => answer(new ProviderCallError(signal.aborted ? 'timeout' : 'unreachable'));
    request.once('error', fail);
    request.once('response', (response: IncomingMessage) => {
      let data = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        data += chunk;
        if (data.length <= mostBytes) return;
        answer(new ProviderCallError('too-large'));
        request.destroy();
      });
      response.once('error', fail);
      response.once('end', () => {
        const statusCode = response.statusCode ?? 0;
        if (statusCode >= 200 && statusCode <= 299) answer(null, data);
        else answer({ statusCode, data });
      });
    });
    request.end(typeof body === 'string' && body !== '' ? body : undefined);
  };
}
