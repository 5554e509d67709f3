import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Scope } from '@hearth/protocol-types/vault/scope';
import { urlOf } from '@hearth/service-kit/listen';
import { sessions } from '../src/db/schema/sessions.js';
import type { TokenWish } from '../src/tokens/token-service.js';
import { type CheckedReply, createContract } from './contract.js';
import { createTestApp, type TestApp } from './create-test-app.js';
import { createTestUser, type TestUser } from './domain.js';

// Answers are read as whatever a test says they are; the contract has already judged their shape.
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers by path
type Json = any;

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

export interface ApiRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ApiCall = (method: string, path: string, request?: ApiRequest) => Promise<ApiReply>;

export interface ApiUser extends TestUser {
  /** As the console calls: with the session's cookie and headers. */
  readonly session: ApiCall;
  readonly vaultPath: string;
  /** A call with a new token that has these scopes and limits. */
  token(scopes: readonly Scope[], limits?: Partial<TokenWish>): Promise<TokenCall>;
}

export type TokenCall = ApiCall & { readonly value: string; readonly id: string };

export interface TestApi extends TestApp {
  readonly url: string;
  readonly anonymous: ApiCall;
  user(name?: string): Promise<ApiUser>;
}

/** The whole vault behind a real port. Every reply is checked against the OpenAPI document that it serves. */
export async function startTestApi(env: NodeJS.ProcessEnv = {}): Promise<TestApi> {
  const testApp = await createTestApp({ HEARTH_VAULT_RATE_LIMITS: 'false', ...env });
  const server = createServer(testApp.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = urlOf(server);
  const check = createContract((await (await fetch(`${url}/api/openapi.json`)).json()) as never);

  const callWith =
    (own: Readonly<Record<string, string>>): ApiCall =>
    async (method, path, { body, headers } = {}) => {
      const isText = typeof body === 'string' || body instanceof URLSearchParams;
      const response = await fetch(url + path, {
        method,
        headers: {
          ...own,
          ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const contentType = response.headers.get('content-type') ?? '';
      const json =
        contentType.includes('json') && !contentType.includes('ndjson') ? JSON.parse(text) : undefined;
      const reply: CheckedReply = {
        method,
        path: path.split('?')[0] as string,
        status: response.status,
        contentType,
        body: json ?? (text === '' ? undefined : text),
      };
      check(reply);
      return { status: response.status, headers: response.headers, text, json };
    };

  return {
    ...testApp,
    url,
    anonymous: callWith({}),
    async user(name = 'Ada') {
      const { domain, database } = testApp;
      const user = await createTestUser(database.db, domain, name);
      const secret = await domain.inTransaction((transaction) =>
        testApp.sessions.open(
          transaction,
          { userId: user.id, identityId: randomUUID() },
          user.caller.request,
        ),
      );
      return {
        ...user,
        vaultPath: `/api/secrets/vaults/${user.personalVault.id}`,
        session: callWith({
          cookie: `hearth=${secret}`,
          'sec-fetch-site': 'same-origin',
          'x-hearth-console': '1',
        }),
        async token(scopes, limits = {}) {
          const { token, value } = await domain.tokens.create(user.caller, {
            name: `token ${randomUUID()}`,
            scopes,
            expiresInDays: 30,
            vaultIds: null,
            environments: null,
            ipAllow: null,
            ...limits,
          });
          return Object.assign(callWith({ authorization: `Bearer ${value}` }), { value, id: token.id });
        },
      };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await testApp.domain.tokenUsage.settled();
      await testApp.close();
    },
  };
}

/** Makes a user's session look as if its sign-in were long ago. */
export async function ageSession(api: TestApi, userId: string): Promise<void> {
  const { eq } = await import('drizzle-orm');
  await api.database.db
    .update(sessions)
    .set({ authenticatedAt: new Date(Date.now() - 3_600_000) })
    .where(eq(sessions.userId, userId));
}
