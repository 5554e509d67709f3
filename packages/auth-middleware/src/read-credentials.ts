import type { IncomingMessage } from 'node:http';

export const credentialForms = ['bearer', 'x-api-key'] as const;

/** Where a token may stand: `Authorization: Bearer <token>` or `x-api-key: <token>`. */
export type CredentialForm = (typeof credentialForms)[number];

export interface ReadCredentialsOptions {
  /** The forms that count, most wanted first. A header of another form is as good as absent. */
  readonly forms: readonly CredentialForm[];
  readonly maxTokenLength?: number;
}

/** Malformed is kept apart from missing, because the answer to each differs (RFC 6750, part 3.1). */
export type Credentials =
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'tokens'; readonly tokens: readonly [string, ...string[]] };

export const defaultMaxTokenLength = 1024;

const headerNames = { bearer: 'authorization', 'x-api-key': 'x-api-key' } as const;

/**
 * Reads the tokens a request carries, in the order of `forms`. Some clients fill both headers, one of them with a
 * stand-in, so a well-formed token is kept even where the other header is malformed. A repeated header is always
 * refused: whoever stands between us and the caller may have read the other value.
 */
export function readCredentials(
  request: Pick<IncomingMessage, 'rawHeaders'>,
  options: ReadCredentialsOptions,
): Credentials {
  const maxLength = options.maxTokenLength ?? defaultMaxTokenLength;
  const tokens: string[] = [];
  const problems: string[] = [];
  for (const form of options.forms) {
    const [value, ...repeated] = headerValues(request.rawHeaders, headerNames[form]);
    if (repeated.length > 0) {
      return { kind: 'malformed', problem: `The ${headerNames[form]} header was sent more than once.` };
    }
    if (value === undefined) continue;
    const token = tokenIn(value, form, maxLength);
    if (token === undefined) problems.push(expectation(form, maxLength));
    else if (!tokens.includes(token)) tokens.push(token);
  }
  const [first, ...rest] = tokens;
  if (first !== undefined) return { kind: 'tokens', tokens: [first, ...rest] };
  if (problems.length > 0) return { kind: 'malformed', problem: problems.join(' ') };
  return { kind: 'missing' };
}

/** Looks at the headers as they came: Node keeps only the first of two Authorization headers in `headers`. */
function headerValues(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function tokenIn(value: string, form: CredentialForm, maxLength: number): string | undefined {
  const token = form === 'bearer' ? /^Bearer ([^\s]+)$/i.exec(value)?.[1] : /^[^\s]+$/.exec(value)?.[0];
  return token !== undefined && token.length <= maxLength ? token : undefined;
}

function expectation(form: CredentialForm, maxLength: number): string {
  const shape = form === 'bearer' ? '"Bearer <token>"' : '"<token>"';
  return `The ${headerNames[form]} header must be ${shape}, the token 1 to ${maxLength} characters without spaces.`;
}
