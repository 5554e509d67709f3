import { beforeEach, describe, expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../test/given-api.js';

let secrets: string;

givenApi();

beforeEach(async () => {
  secrets = `${ada.vaultPath}/secrets`;
});

const put = (key: string, value: string, headers: Record<string, string> = {}, env = 'dev') =>
  ada.session('PUT', `${secrets}/${key}?env=${env}`, { body: { value }, headers });

describe('writing and reading', () => {
  test('a value comes back exactly, with its version as ETag, and the write never repeats it', async () => {
    const value = 'pa$$ "wörd" \n\u{1f511} \t end ';
    const made = await put('DATABASE_URL', value);
    expect(made).toMatchObject({
      status: 201,
      json: { version: 1, changed: true, environment: 'dev', path: '/' },
    });
    expect(made.text).not.toContain('pa$$');
    const read = await ada.session('GET', `${secrets}/DATABASE_URL?env=dev`);
    expect(read).toMatchObject({ status: 200, json: { value, encoding: 'utf8', version: 1 } });
    expect(read.headers.get('etag')).toBe('"1"');
    expect(read.headers.get('cache-control')).toBe('no-store');
  });

  test('bytes come back as bytes', async () => {
    const value = Buffer.from([0, 255, 1, 254, 0]).toString('base64');
    const body = { value, encoding: 'base64' };
    expect((await ada.session('PUT', `${secrets}/BYTES?env=dev`, { body })).status).toBe(201);
    const read = await ada.session('GET', `${secrets}/BYTES?env=dev`);
    expect(read.json).toMatchObject(body);
  });

  test('the same value makes no new version; another one does', async () => {
    await put('KEY', 'one');
    const same = await put('KEY', 'one');
    expect(same).toMatchObject({ status: 200, json: { version: 1, changed: false } });
    expect((await put('KEY', 'two')).json).toMatchObject({ version: 2, changed: true });
  });

  test('a note and tags are kept, changed and cleared without a new version', async () => {
    const path = `${secrets}/KEY?env=dev`;
    await ada.session('PUT', path, { body: { value: 'v', note: 'why', tags: ['db', 'db', 'prod'] } });
    const patched = await ada.session('PATCH', path, {
      body: { note: null, expires_at: '2030-01-01T00:00:00.000Z' },
    });
    expect(patched.json).toMatchObject({
      note: null,
      tags: ['db', 'prod'],
      version: 1,
      expires_at: '2030-01-01T00:00:00.000Z',
    });
  });

  test('a secret is renamed, and not onto another', async () => {
    await put('OLD', 'v');
    await put('TAKEN', 'v');
    const rename = (key: string) => ada.session('PATCH', `${secrets}/OLD?env=dev`, { body: { key } });
    expect((await rename('TAKEN')).json.code).toBe('key_taken');
    expect((await rename('NEW')).json.key).toBe('NEW');
    expect((await ada.session('GET', `${secrets}/NEW?env=dev`)).json.value).toBe('v');
    expect((await ada.session('GET', `${secrets}/OLD?env=dev`)).status).toBe(404);
  });

  test('environments and folders keep equal names apart', async () => {
    await put('KEY', 'dev');
    await put('KEY', 'prod', {}, 'prod');
    const folder = `${secrets}/KEY?env=dev&path=${encodeURIComponent('/payments/eu/')}`;
    await ada.session('PUT', folder, { body: { value: 'folder' } });
    expect((await ada.session('GET', `${secrets}/KEY?env=prod`)).json.value).toBe('prod');
    expect((await ada.session('GET', folder)).json.value).toBe('folder');
    expect((await ada.session('GET', `${secrets}/KEY?env=dev`)).json.value).toBe('dev');
    expect((await ada.session('GET', `${secrets}/KEY?env=nowhere`)).status).toBe(404);
  });

  test.each([
    ['a lone surrogate', '/KEY?env=dev', { value: '\ud800' }, '/value'],
    ['a NUL', '/KEY?env=dev', { value: 'a\0b' }, '/value'],
    ['more than 64 KiB', '/KEY?env=dev', { value: 'x'.repeat(65_537) }, '/value'],
    ['base64 that is not', '/KEY?env=dev', { value: 'a', encoding: 'base64' }, '/value'],
    ['no value', '/KEY?env=dev', {}, '/value'],
    ['no environment', '/KEY', { value: 'x' }, '/query/env'],
    ['a name that no shell takes', '/MY-KEY?env=dev', { value: 'x' }, '/key'],
    ['a folder that climbs', '/KEY?env=dev&path=../', { value: 'x' }, '/query/path'],
  ])('%s is refused by its place, and never repeated', async (_name, path, body, pointer) => {
    const reply = await ada.session('PUT', secrets + path, { body });
    expect(reply).toMatchObject({ status: 422, json: { code: 'validation_failed' } });
    expect(reply.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(reply.text.length).toBeLessThan(2000);
  });

  test('malformed JSON is refused without a trace of it in the answer or the log', async () => {
    const reply = await ada.session('PUT', `${secrets}/KEY?env=dev`, {
      body: '{"value":"hunter2-canary",',
      headers: { 'content-type': 'application/json' },
    });
    expect(reply).toMatchObject({ status: 400, json: { code: 'malformed_json' } });
    expect(reply.text + api.logText()).not.toContain('hunter2-canary');
  });
});

describe('compare and set', () => {
  test('If-None-Match: * creates and never overwrites', async () => {
    expect((await put('KEY', 'a', { 'if-none-match': '*' })).status).toBe(201);
    const second = await put('KEY', 'b', { 'if-none-match': '*' });
    expect(second).toMatchObject({ status: 412, json: { code: 'precondition_failed', current_version: 1 } });
    expect((await ada.session('GET', `${secrets}/KEY?env=dev`)).json.value).toBe('a');
  });

  test('If-Match writes only over the version it names', async () => {
    await put('KEY', 'a');
    expect((await put('KEY', 'b', { 'if-match': '"1"' })).json.version).toBe(2);
    expect((await put('KEY', 'c', { 'if-match': '"1"' })).status).toBe(412);
    expect((await put('KEY', 'c', { 'if-match': 'W/"2"' })).status).toBe(412);
    expect((await put('KEY', 'c', { 'if-match': '"1", "2"' })).json.version).toBe(3);
    expect((await put('KEY', 'd', { 'if-match': '*' })).json.version).toBe(4);
    expect((await put('OTHER', 'd', { 'if-match': '*' })).status).toBe(412);
    expect((await put('KEY', 'e', { 'if-match': 'nonsense' })).status).toBe(400);
  });

  test('of twenty writers that read the same version exactly one wins', async () => {
    await put('KEY', 'start');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put('KEY', `writer ${n}`, { 'if-match': '"1"' })),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(19);
    const value = (await ada.session('GET', `${secrets}/KEY?env=dev`)).json.value;
    expect(value).toBe(`writer ${replies.indexOf(winners[0] as never)}`);
  }, 30_000);

  test('of twenty creators exactly one creates', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put('NEW', `creator ${n}`, { 'if-none-match': '*' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(412)]);
  }, 30_000);

  test('twenty writers without a condition all get a version of their own', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => put('KEY', `value ${n}`)));
    expect(replies.map(({ json }) => json.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    expect((await api.domain.audit.verify(ada.id)).valid).toBe(true);
  }, 30_000);
});

describe('lists', () => {
  beforeEach(async () => {
    await ada.session('POST', `${ada.vaultPath}/batch`, {
      body: {
        operations: [
          { op: 'put', env: 'dev', key: 'ALPHA', value: 'a', tags: ['db'], note: 'the First' },
          { op: 'put', env: 'dev', key: 'BETA_100', value: 'b' },
          { op: 'put', env: 'prod', key: 'ALPHA', value: 'c' },
          { op: 'put', env: 'dev', path: '/sub/', key: 'GAMMA', value: 'd' },
        ],
      },
    });
  });

  const keys = async (query: string) =>
    (await ada.session('GET', `${secrets}${query}`)).json.map(
      (secret: { environment: string; key: string }) => `${secret.environment}:${secret.key}`,
    );

  test('hold names without values, by environment, folder, text and tag', async () => {
    const all = await ada.session('GET', secrets);
    expect(all.json).toHaveLength(4);
    expect(all.text).not.toContain('"value"');
    expect(await keys('?env=dev')).toEqual(['dev:ALPHA', 'dev:BETA_100', 'dev:GAMMA']);
    expect(await keys('?env=dev&path=/sub/')).toEqual(['dev:GAMMA']);
    expect(await keys('?q=first')).toEqual(['dev:ALPHA']);
    expect(await keys('?q=_1')).toEqual(['dev:BETA_100']);
    expect(await keys('?q=%25')).toEqual([]);
    expect(await keys('?tag=db')).toEqual(['dev:ALPHA']);
  });

  test('hold values on request only, audited as one event', async () => {
    const lister = await ada.token(['secrets:list']);
    expect((await lister('GET', `${secrets}?env=dev&include=values`)).json.code).toBe('insufficient_scope');
    const reader = await ada.token(['secrets:read']);
    const { json } = await reader('GET', `${secrets}?env=dev&include=values`);
    expect(json.map((secret: { value: string }) => secret.value)).toEqual(['a', 'b', 'd']);
    const [event] = await api.domain.audit.page(ada.id, { action: 'secret.list_values' }, undefined, 5);
    expect(event?.meta).toEqual({ environment: 'dev', count: 3, keys: ['ALPHA', 'BETA_100', 'GAMMA'] });
  });

  test('are polled for nothing while nothing changes', async () => {
    const first = await ada.session('GET', `${secrets}?env=dev`);
    const etag = first.headers.get('etag') as string;
    const headers = { 'if-none-match': etag };
    const second = await ada.session('GET', `${secrets}?env=dev`, { headers });
    expect(second).toMatchObject({ status: 304, text: '' });
    await put('ALPHA', 'a');
    expect((await ada.session('GET', `${secrets}?env=dev`, { headers })).status).toBe(304);
    await put('ALPHA', 'changed');
    expect((await ada.session('GET', `${secrets}?env=dev`, { headers })).status).toBe(200);
  });

  test('come in pages that hold each secret once', async () => {
    const seen: string[] = [];
    let next: string | undefined = `${secrets}?limit=1`;
    while (next !== undefined) {
      const reply = await ada.session('GET', next);
      seen.push(...reply.json.map((secret: { id: string }) => secret.id));
      next = /^<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });
});

describe('a limited token', () => {
  test('sees and changes its own environment only; the others are not there', async () => {
    await put('KEY', 'dev');
    await put('KEY', 'prod', {}, 'prod');
    const token = await ada.token(['secrets:read', 'secrets:write', 'export:read'], {
      environments: ['dev'],
    });
    const { json } = await token('GET', `${secrets}?include=values`);
    expect(json.map((secret: { value: string }) => secret.value)).toEqual(['dev']);
    for (const path of [
      `${secrets}/KEY?env=prod`,
      `${secrets}?env=prod`,
      `${ada.vaultPath}/export?env=prod`,
    ]) {
      expect((await token('GET', path)).status).toBe(404);
    }
    expect((await token('PUT', `${secrets}/KEY?env=prod`, { body: { value: 'x' } })).status).toBe(404);
    const environments = await token('GET', `${ada.vaultPath}/environments`);
    expect(environments.json.map((each: { slug: string }) => each.slug)).toEqual(['dev']);
  });

  test('needs the very scope of what it does', async () => {
    await put('KEY', 'v');
    const writer = await ada.token(['secrets:write']);
    expect((await writer('PUT', `${secrets}/KEY?env=dev`, { body: { value: 'w' } })).status).toBe(200);
    expect((await writer('GET', `${secrets}/KEY?env=dev`)).status).toBe(403);
    expect((await writer('GET', secrets)).status).toBe(403);
    expect((await writer('DELETE', `${secrets}/KEY?env=dev`)).status).toBe(403);
    const eve = await api.user('Eve');
    const stranger = await eve.token(['secrets:read', 'secrets:write', 'secrets:delete']);
    expect((await stranger('GET', `${secrets}/KEY?env=dev`)).status).toBe(404);
    expect((await stranger('PUT', `${secrets}/KEY?env=dev`, { body: { value: 'w' } })).status).toBe(404);
    expect((await stranger('DELETE', `${secrets}/KEY?env=dev`)).status).toBe(404);
  });
});
