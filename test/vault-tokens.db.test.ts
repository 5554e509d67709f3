import { setTimeout as pause } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import {
  type BothServices,
  clientsOf,
  localKey,
  type MadeToken,
  startBothServices,
} from './both-services.js';

let services: BothServices;
let user: MadeToken;
let manager: MadeToken;
let secretsOnly: MadeToken;

beforeAll(async () => {
  services = await startBothServices();
  user = await services.makeToken(['models:use']);
  manager = await services.makeToken(['models:manage']);
  secretsOnly = await services.makeToken(['secrets:read', 'secrets:write']);
}, 120_000);

afterAll(() => services?.close(), 60_000);

const question = [{ role: 'user' as const, content: 'What is the capital of France?' }];

function clients(key: string) {
  return clientsOf(services.modelServerUrl, key);
}

/** One chat in each family, by its official client. */
function chats(key: string): Promise<unknown>[] {
  const { runner, completions, messages } = clients(key);
  return [
    runner.chat({ model: 'ember', messages: question }),
    completions.chat.completions.create({ model: 'ember', messages: question }),
    messages.messages.create({ model: 'ember', max_tokens: 20, messages: question }),
  ];
}

/** What the clients throw when none of the chats succeeds. */
async function failures(key: string): Promise<unknown[]> {
  return await Promise.all(
    chats(key).map(async (chat) => {
      const outcome = await chat.catch((error: unknown) => ({ error }));
      return (outcome as { error?: unknown }).error;
    }),
  );
}

async function call(method: string, path: string, key: string, body?: unknown) {
  const reply = await fetch(services.modelServerUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: reply.status,
    challenge: reply.headers.get('www-authenticate'),
    body: JSON.parse((await reply.text()) || 'null') as unknown,
  };
}

/** The same refusal as each family words it. */
async function refusals(key: string) {
  const chat = { model: 'ember', messages: question };
  return await Promise.all([
    call('POST', '/api/chat', key, chat),
    call('POST', '/v1/chat/completions', key, chat),
    call('POST', '/alt/v1/messages', key, { ...chat, max_tokens: 20 }),
  ]);
}

function inEveryDialect(
  status: number,
  text: string,
  completions: [type: string, code: string | null],
  messages: string,
) {
  const message = expect.stringContaining(text);
  return [
    { status, body: { error: message } },
    { status, body: { error: { message, type: completions[0], code: completions[1], param: null } } },
    { status, body: { type: 'error', error: { type: messages, message }, request_id: expect.any(String) } },
  ];
}

describe('a token of the vault at the model server', () => {
  test('with models:use chats in every family by its official client', async () => {
    const [runner, completions, messages] = await Promise.all(chats(user.value));
    expect(runner).toMatchObject({ message: { content: expect.stringContaining('Paris') } });
    expect(completions).toMatchObject({
      choices: [{ message: { content: expect.stringContaining('Paris') } }],
    });
    expect(messages).toMatchObject({ content: [{ text: expect.stringContaining('Paris') }] });
  }, 60_000);

  test('with models:use may not pull, copy, upload or delete, and is told the scope it lacks', async () => {
    const needed = expect.stringContaining('models:manage');
    const challenge = expect.stringMatching(/error="insufficient_scope".*scope="models:manage"/);
    for (const [method, path, body] of [
      ['POST', '/api/pull', { model: 'somewhere.example/a/b' }],
      ['POST', '/api/copy', { source: 'ember', destination: 'mine' }],
      ['POST', '/api/create', { model: 'mine', from: 'ember' }],
      ['DELETE', '/api/delete', { model: 'ember' }],
      ['POST', `/api/blobs/sha256:${'0'.repeat(64)}`, {}],
    ] as const) {
      const refused = { status: 403, challenge, body: { error: needed } };
      expect(await call(method, path, user.value, body)).toEqual(refused);
    }
    expect(await call('DELETE', '/v1/models/ember', user.value)).toEqual({
      status: 403,
      challenge,
      body: { error: { message: needed, type: 'permission_error', code: null, param: null } },
    });
    const { runner, completions } = clients(user.value);
    await expect(runner.delete({ model: 'ember' })).rejects.toMatchObject({ status_code: 403 });
    await expect(completions.models.delete('ember')).rejects.toThrow(OpenAI.PermissionDeniedError);
    // The third family has no path that changes a model, whoever asks.
    expect(await call('DELETE', '/alt/v1/models/ember', manager.value)).toMatchObject({
      status: 405,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
    });
    expect((await runner.list()).models.map(({ name }) => name)).toEqual(['ember:latest']);
  }, 60_000);

  test('with models:manage changes models, and chats too', async () => {
    const { runner, completions } = clients(manager.value);
    await runner.copy({ source: 'ember', destination: 'mine' });
    expect((await runner.list()).models.map(({ name }) => name)).toContain('mine:latest');
    await completions.models.delete('mine');
    expect((await runner.list()).models.map(({ name }) => name)).toEqual(['ember:latest']);
    await Promise.all(chats(manager.value));
  }, 60_000);

  test('with scopes for secrets alone is refused in the words of each family', async () => {
    expect(await refusals(secretsOnly.value)).toMatchObject(
      inEveryDialect(403, 'models:use', ['permission_error', null], 'permission_error'),
    );
    const [runner, completions, messages] = await failures(secretsOnly.value);
    expect(runner).toMatchObject({ status_code: 403 });
    expect(completions).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(messages).toBeInstanceOf(Anthropic.PermissionDeniedError);
  });

  test('that the vault does not know is nobody, as is any other text', async () => {
    const unknown = `${user.value.slice(0, -1)}${user.value.endsWith('0') ? '1' : '0'}`;
    for (const key of [unknown, 'any-other-text']) {
      expect(await refusals(key)).toMatchObject(
        inEveryDialect(401, 'not valid', ['authentication_error', 'invalid_api_key'], 'authentication_error'),
      );
    }
    const [runner, completions, messages] = await failures(unknown);
    expect(runner).toMatchObject({ status_code: 401 });
    expect(completions).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(messages).toBeInstanceOf(Anthropic.AuthenticationError);
  });

  test('for models opens no secret in the vault', async () => {
    const reply = await fetch(`${services.vaultUrl}/api/secrets/vaults`, {
      headers: { authorization: `Bearer ${manager.value}` },
    });
    expect(reply.status).toBe(403);
    expect(await reply.json()).toMatchObject({ code: 'insufficient_scope' });
  });

  test('that was just used is refused five seconds after it is revoked, as the documentation says', async () => {
    const leaver = await services.makeToken(['models:use', 'models:manage']);
    await clients(leaver.value).runner.list();
    await services.revokeToken(leaver);
    // There is no event to wait for: the promise itself is a time.
    await pause(5050);
    expect((await refusals(leaver.value)).map(({ status }) => status)).toEqual([401, 401, 401]);
  }, 60_000);
});

describe('the key of the model server itself', () => {
  test('works beside the tokens and holds every right', async () => {
    await Promise.all(chats(localKey));
    await clients(localKey).runner.copy({ source: 'ember', destination: 'mine' });
    await clients(localKey).runner.delete({ model: 'mine' });
  }, 60_000);
});

test('while the vault is away running streams go on, nobody new is let in, and the key still opens', async () => {
  const stranger = await services.makeToken(['models:use']);
  const { completions } = clients(user.value);
  const stream = await completions.chat.completions.create({
    model: 'ember',
    stream: true,
    messages: [{ role: 'user', content: 'Write a long list.' }],
    // Longer than what follows can take.
    max_tokens: 1800,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'list', schema: { type: 'array', items: { type: 'boolean' }, minItems: 900 } },
    },
  });
  const chunks = stream[Symbol.asyncIterator]();
  await chunks.next();

  await services.killVault();
  expect(await refusals(stranger.value)).toMatchObject(
    inEveryDialect(502, 'vault', ['server_error', 'upstream_failed'], 'api_error'),
  );
  expect(services.output()).toMatch(/"code":"ECONNREFUSED".*another server did not answer/);
  await Promise.all(chats(localKey));
  for (let n = 0; n < 20; n += 1) {
    const { done, value } = await chunks.next();
    expect(done).toBe(false);
    expect(value.choices[0]?.finish_reason ?? null).toBeNull();
  }
  stream.controller.abort();

  await services.startVaultAgain();
  await clients(stranger.value).runner.list();
}, 120_000);

test('a caller who tries many tokens at the model server shuts nobody out', async () => {
  await clients(user.value).runner.list();
  const guesses = Array.from({ length: 60 }, (_, n) => `sk-svc-${String(n).padStart(46, '0')}`);
  const answers = await Promise.all(guesses.map((guess) => call('GET', '/api/tags', guess)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 502]));
  // Past the time for which an answer is believed, so that the vault is asked again.
  await pause(5050);
  await clients(user.value).runner.list();
}, 60_000);

test('no token and no key is in what either program has written', () => {
  const output = services.output();
  expect(output).toContain('listening');
  for (const key of [user.value, manager.value, secretsOnly.value, localKey])
    expect(output).not.toContain(key);
});
