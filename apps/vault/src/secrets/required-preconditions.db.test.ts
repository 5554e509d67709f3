import { beforeEach, describe, expect, test } from '@jest/globals';
import { ada, givenApi } from '../../test/given-api.js';

let secrets: string;

givenApi();

const setRule = (wanted: boolean, headers: Record<string, string> = {}) =>
  ada.session('PATCH', ada.vaultPath, { body: { requires_preconditions: wanted }, headers });
const put = (key: string, value: string, headers: Record<string, string> = {}) =>
  ada.session('PUT', `${secrets}/${key}?env=dev`, { body: { value }, headers });
const versionOf = async (key: string) => {
  const list = (await ada.session('GET', `${secrets}?env=dev`)).json as { key: string; version: number }[];
  return list.find((secret) => secret.key === key)?.version;
};
const over = (version: number | '*') => ({ 'if-match': version === '*' ? '*' : `"${version}"` });
const ifNew = { 'if-none-match': '*' };
const refused = { status: 428, json: { code: 'precondition_required', status: 428 } };

beforeEach(async () => {
  secrets = `${ada.vaultPath}/secrets`;
  await put('KEY', 'one');
  await setRule(true);
});

describe('the rule of a vault', () => {
  test('is off at first, is set and taken back by PATCH with the name left alone, and each time is audited', async () => {
    const made = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Work' } });
    expect(made.json.requires_preconditions).toBe(false);
    const path = `/api/secrets/vaults/${made.json.id}`;
    const body = { requires_preconditions: true };
    const on = await ada.session('PATCH', path, { body, headers: { 'if-match': '"r1"' } });
    expect(on).toMatchObject({ status: 200, json: { name: 'Work', ...body, revision: 2 } });
    expect((await ada.session('PATCH', path, { body })).json.revision).toBe(2);
    expect((await ada.session('GET', path)).json.requires_preconditions).toBe(true);
    const off = await ada.session('PATCH', path, { body: { name: 'Play', requires_preconditions: false } });
    expect(off.json).toMatchObject({ name: 'Play', requires_preconditions: false });
    const events = await ada.session('GET', `/api/secrets/audit?action=vault.update&vault=${made.json.id}`);
    expect(events.json.map(({ meta }: { meta: unknown }) => meta)).toEqual([
      { renamed_from: 'Work', requires_preconditions: false },
      { requires_preconditions: true },
    ]);
  });

  test('does not show in the list of vaults, which keeps its four fields', async () => {
    const [listed] = (await ada.session('GET', '/api/secrets/vaults')).json;
    expect(Object.keys(listed).sort()).toEqual(['created_at', 'id', 'is_encrypted', 'name']);
  });

  test('needs the right to change vaults, and a value that is true or false', async () => {
    const writer = await ada.token(['secrets:write', 'secrets:delete']);
    const body = { requires_preconditions: false };
    expect((await writer('PATCH', ada.vaultPath, { body })).status).toBe(403);
    const wrong = await ada.session('PATCH', ada.vaultPath, { body: { requires_preconditions: 'no' } });
    expect(wrong).toMatchObject({ status: 422, json: { errors: [{ pointer: '/requires_preconditions' }] } });
    expect((await setRule(false, { 'if-match': '"r1"' })).status).toBe(412);
  });

  test('is for its vault alone, and ends when it is taken back', async () => {
    const other = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Free' } });
    const free = `/api/secrets/vaults/${other.json.id}/secrets/KEY?env=dev`;
    expect((await ada.session('PUT', free, { body: { value: 'v' } })).status).toBe(201);
    expect(await put('KEY', 'two')).toMatchObject(refused);
    await setRule(false);
    expect((await put('KEY', 'two')).status).toBe(200);
  });
});

describe('where a change must say what it replaces', () => {
  test('PUT, PATCH, DELETE, destroying and rollback without it change nothing and get 428', async () => {
    const one = `${secrets}/KEY?env=dev`;
    const reply = await put('KEY', 'two');
    expect(reply).toMatchObject(refused);
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await put('NEW', 'one')).toMatchObject(refused);
    expect(await ada.session('PATCH', one, { body: { note: 'n' } })).toMatchObject(refused);
    expect(await ada.session('DELETE', one)).toMatchObject(refused);
    expect(await ada.session('DELETE', `${one}&destroy=true&confirm=KEY`)).toMatchObject(refused);
    const rollback = await ada.session('POST', `${secrets}/KEY/rollback?env=dev`, { body: { version: 1 } });
    expect(rollback).toMatchObject(refused);
    expect(await versionOf('KEY')).toBe(1);
    expect(await versionOf('NEW')).toBeUndefined();
    const token = await ada.token(['secrets:write']);
    expect(await token('PUT', one, { body: { value: 'two' } })).toMatchObject(refused);
  });

  test('each of them works with the version that was read, with *, or for a new secret', async () => {
    const one = `${secrets}/KEY?env=dev`;
    expect((await put('NEW', 'v', ifNew)).status).toBe(201);
    expect((await put('KEY', 'two', over(1))).status).toBe(200);
    expect((await put('KEY', 'three', over('*'))).status).toBe(200);
    expect((await put('KEY', 'late', over(1))).status).toBe(412);
    expect((await ada.session('PATCH', one, { body: { note: 'n' }, headers: over(3) })).status).toBe(200);
    const back = { body: { version: 1 }, headers: over(3) };
    expect((await ada.session('POST', `${secrets}/KEY/rollback?env=dev`, back)).json.version).toBe(4);
    expect((await ada.session('DELETE', one, { headers: over(3) })).status).toBe(412);
    expect((await ada.session('DELETE', one, { headers: over(4) })).status).toBe(204);
    // What only brings a secret back where none is replaces nothing.
    expect((await ada.session('POST', `${secrets}/KEY/restore?env=dev`)).status).toBe(200);
  });

  test('destroying with If-None-Match: * takes only what is in the trash, and never a newer secret', async () => {
    const destroy = `${secrets}/KEY?env=dev&destroy=true&confirm=KEY`;
    await ada.session('DELETE', `${secrets}/KEY?env=dev`, { headers: over(1) });
    await put('KEY', 'newer', ifNew);
    expect((await ada.session('DELETE', destroy, { headers: ifNew })).status).toBe(412);
    expect(await versionOf('KEY')).toBe(1);
    await ada.session('DELETE', `${secrets}/KEY?env=dev`, { headers: over(1) });
    expect((await ada.session('DELETE', destroy, { headers: ifNew })).status).toBe(204);
    expect((await ada.session('GET', `${secrets}?trash=true`)).json).toEqual([]);
  });

  test('a batch is refused whole, and told every operation that lacks its if_version', async () => {
    const run = (operations: object[]) =>
      ada.session('POST', `${ada.vaultPath}/batch`, { body: { operations } });
    const place = { env: 'dev', path: '/' };
    const reply = await run([
      { op: 'put', ...place, key: 'A', value: '1', if_version: 0 },
      { op: 'put', ...place, key: 'KEY', value: '2' },
      { op: 'delete', ...place, key: 'KEY' },
    ]);
    expect(reply).toMatchObject(refused);
    expect(reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/operations/1/if_version',
      '/operations/2/if_version',
    ]);
    expect(await versionOf('A')).toBeUndefined();
    const done = await run([
      { op: 'put', ...place, key: 'A', value: '1', if_version: 0 },
      { op: 'put', ...place, key: 'KEY', value: '2', if_version: 1 },
      { op: 'delete', ...place, key: 'A', if_version: 1 },
    ]);
    expect(done.status).toBe(200);
  });
});

describe('an import where a change must say what it replaces', () => {
  const run = (text: string, query: string, headers: Record<string, string> = {}) =>
    ada.session('POST', `${ada.vaultPath}/import?env=dev&${query}`, {
      body: text,
      headers: { 'content-type': 'text/plain', ...headers },
    });

  test('needs the revision that a dry run saw, and is refused once anything has changed since', async () => {
    expect(await run('KEY=two\nNEW=1', 'mode=merge')).toMatchObject(refused);
    expect(await run('NEW=1', 'mode=replace')).toMatchObject(refused);
    const preview = await run('KEY=two\nNEW=1', 'mode=merge&dry_run=true');
    expect(preview).toMatchObject({ status: 200, json: { added: ['NEW'], changed: ['KEY'] } });
    const etag = preview.headers.get('etag') as string;
    await put('OTHER', 'v', ifNew);
    const late = await run('KEY=two\nNEW=1', 'mode=merge', { 'if-match': etag });
    expect(late).toMatchObject({ status: 412, json: { code: 'precondition_failed' } });
    expect(await versionOf('KEY')).toBe(1);
    const again = (await run('KEY=two', 'mode=merge&dry_run=true')).headers.get('etag') as string;
    expect((await run('KEY=two\nNEW=1', 'mode=merge', { 'if-match': again })).status).toBe(200);
    expect(await versionOf('KEY')).toBe(2);
    expect((await run('KEY=three', 'mode=merge', { 'if-match': '*' })).status).toBe(200);
  });

  test('needs nothing where it only adds', async () => {
    const reply = await run('KEY=two\nNEW=1', 'mode=skip');
    expect(reply).toMatchObject({ status: 200, json: { added: ['NEW'], skipped: ['KEY'] } });
    expect(await versionOf('KEY')).toBe(1);
  });

  test('of two that saw the same revision at the same time, one is done and one is told', async () => {
    const { headers } = await run('KEY=two', 'dry_run=true');
    const etag = { 'if-match': headers.get('etag') as string };
    const replies = await Promise.all([run('KEY=mine\nA=1', '', etag), run('KEY=theirs\nB=1', '', etag)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const list = (await ada.session('GET', `${secrets}?env=dev`)).json as { key: string }[];
    expect(list.filter(({ key }) => key === 'A' || key === 'B')).toHaveLength(1);
  });
});
