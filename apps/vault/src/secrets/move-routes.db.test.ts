import { beforeEach, describe, expect, test } from '@jest/globals';
import { ada, api, givenApi } from '../../test/given-api.js';

let secrets: string;

givenApi();

beforeEach(async () => {
  secrets = `${ada.vaultPath}/secrets`;
});

const at = (key: string, env = 'dev', path = '/') => `${secrets}/${key}?env=${env}&path=${path}`;
const put = (key: string, value: string, env = 'dev', path = '/') =>
  ada.session('PUT', at(key, env, path), { body: { value } });
const valueAt = async (key: string, env = 'dev', path = '/') => {
  const { status, json } = await ada.session('GET', at(key, env, path));
  return status === 200 ? json.value : undefined;
};
const move = (list: object[], to: object, headers: Record<string, string> = {}) =>
  ada.session('POST', `${ada.vaultPath}/move`, { body: { secrets: list, to }, headers });
const patch = (place: string, body: object, headers: Record<string, string> = {}) =>
  ada.session('PATCH', place, { body, headers });

interface Line {
  readonly target: { readonly id: string; readonly label: string };
  readonly meta: Readonly<Record<string, unknown>>;
}
const events = async () => (await ada.session('GET', '/api/secrets/audit?action=secret.move')).json as Line[];

describe('moving one secret', () => {
  test('keeps its id, versions, history, note and tags; the old place is empty', async () => {
    await put('KEY', 'one');
    const made = await ada.session('PUT', at('KEY'), { body: { value: 'two', note: 'why', tags: ['db'] } });
    const moved = await patch(at('KEY'), { env: 'prod', path: '/payments/' });
    expect(moved).toMatchObject({
      status: 200,
      json: {
        id: made.json.id,
        environment: 'prod',
        path: '/payments/',
        key: 'KEY',
        version: 2,
        note: 'why',
        tags: ['db'],
      },
    });
    expect(moved.headers.get('etag')).toBe('"2"');
    expect(await valueAt('KEY')).toBeUndefined();
    expect(await valueAt('KEY', 'prod', '/payments/')).toBe('two');
    const there = `${secrets}/KEY`;
    const query = 'env=prod&path=/payments/';
    const versions = await ada.session('GET', `${there}/versions?${query}`);
    expect(versions.json.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect((await ada.session('GET', `${there}/versions/1?${query}`)).json.value).toBe('one');
    const back = await ada.session('POST', `${there}/rollback?${query}`, { body: { version: 1 } });
    expect(back.json.version).toBe(3);
    expect(await valueAt('KEY', 'prod', '/payments/')).toBe('one');
  });

  test('can be done with a new name at once, and is one event that tells from where', async () => {
    await put('KEY', 'v', 'dev', '/old/');
    await patch(at('KEY', 'dev', '/old/'), { key: 'NEW', env: 'staging', path: '/' });
    expect(await valueAt('NEW', 'staging')).toBe('v');
    const list = await events();
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      target: { label: 'NEW' },
      meta: {
        environment: 'staging',
        path: '/',
        from_environment: 'dev',
        from_path: '/old/',
        renamed_from: 'KEY',
        fields: ['key', 'environment', 'path'],
      },
    });
  });

  test('to where its key is taken is 409 key_taken, and both are as they were', async () => {
    await put('KEY', 'mine');
    await put('KEY', 'theirs', 'prod');
    expect(await patch(at('KEY'), { env: 'prod' })).toMatchObject({
      status: 409,
      json: { code: 'key_taken' },
    });
    expect([await valueAt('KEY'), await valueAt('KEY', 'prod')]).toEqual(['mine', 'theirs']);
    expect(await events()).toEqual([]);
  });

  test('to an environment that is not there is 404, to a folder that cannot be 422', async () => {
    await put('KEY', 'v');
    expect((await patch(at('KEY'), { env: 'nowhere' })).status).toBe(404);
    expect((await patch(at('KEY'), { path: 'no folder' })).status).toBe(422);
    expect((await patch(at('KEY'), { env: 'prod' }, { 'if-match': '"7"' })).status).toBe(412);
    expect(await valueAt('KEY')).toBe('v');
  });
});

describe('moving many', () => {
  test('takes them to a folder, each in its environment, or to an environment, each in its folder', async () => {
    await put('A', 'a');
    await put('A', 'a prod', 'prod');
    await put('B', 'b', 'dev', '/x/');
    const toFolder = await move(
      [
        { env: 'dev', key: 'A' },
        { env: 'prod', path: '/', key: 'A', if_version: 1 },
      ],
      { path: '/new/' },
    );
    expect(toFolder.status).toBe(200);
    expect(toFolder.json).toMatchObject([
      { key: 'A', environment: 'dev', path: '/new/', version: 1 },
      { key: 'A', environment: 'prod', path: '/new/', version: 1 },
    ]);
    const toEnvironment = await move(
      [
        { env: 'dev', path: '/new/', key: 'A' },
        { env: 'dev', path: '/x/', key: 'B' },
      ],
      { env: 'staging' },
    );
    expect(toEnvironment.status).toBe(200);
    expect(await valueAt('A', 'staging', '/new/')).toBe('a');
    expect(await valueAt('B', 'staging', '/x/')).toBe('b');
    expect(await valueAt('A', 'prod', '/new/')).toBe('a prod');
    const list = await events();
    expect(list.map(({ target }) => target.label).sort()).toEqual(['A', 'A', 'A', 'B']);
    expect((await ada.session('GET', '/api/secrets/audit/verify')).json.valid).toBe(true);
  });

  test('stops whole where keys are taken, and names every one of them', async () => {
    await put('A', 'a');
    await put('B', 'b');
    await put('C', 'c');
    await put('B', 'b prod', 'prod');
    await put('C', 'c prod', 'prod');
    const reply = await move(
      ['A', 'B', 'C'].map((key) => ({ env: 'dev', key })),
      { env: 'prod' },
    );
    expect(reply).toMatchObject({ status: 409, json: { code: 'key_taken' } });
    expect(reply.json.errors).toEqual([
      { pointer: '/secrets/1', code: 'key_taken', detail: expect.any(String) },
      { pointer: '/secrets/2', code: 'key_taken', detail: expect.any(String) },
    ]);
    expect([await valueAt('A'), await valueAt('B'), await valueAt('B', 'prod')]).toEqual([
      'a',
      'b',
      'b prod',
    ]);
    expect(await valueAt('A', 'prod')).toBeUndefined();
    expect(await events()).toEqual([]);
  });

  test('two that would meet at one place are refused, too', async () => {
    await put('A', 'one');
    await put('A', 'two', 'staging');
    const reply = await move(
      [
        { env: 'dev', key: 'A' },
        { env: 'staging', key: 'A' },
      ],
      { env: 'prod' },
    );
    expect(reply).toMatchObject({ status: 409, json: { code: 'key_taken' } });
    expect([await valueAt('A'), await valueAt('A', 'staging')]).toEqual(['one', 'two']);
  });

  test('what is there already stays, a name given twice counts once, and nothing to do is no event', async () => {
    await put('A', 'a', 'prod');
    const revision = (await ada.session('GET', ada.vaultPath)).json.revision;
    const there = { env: 'prod', key: 'A' };
    expect((await move([there, there], { env: 'prod' })).json).toHaveLength(2);
    expect((await ada.session('GET', ada.vaultPath)).json.revision).toBe(revision);
    expect((await move([there, there], { path: '/x/' })).status).toBe(200);
    expect(await events()).toHaveLength(1);
  });

  test('one that is missing, or has another version than said, stops them all', async () => {
    await put('A', 'a');
    await put('B', 'b');
    const missing = await move(
      [
        { env: 'dev', key: 'A' },
        { env: 'dev', key: 'NOPE' },
      ],
      { env: 'prod' },
    );
    expect(missing).toMatchObject({ status: 404, json: { errors: [{ pointer: '/secrets/1' }] } });
    const late = await move(
      [
        { env: 'dev', key: 'A', if_version: 1 },
        { env: 'dev', key: 'B', if_version: 9 },
      ],
      { env: 'prod' },
    );
    expect(late).toMatchObject({ status: 412, json: { errors: [{ pointer: '/secrets/1' }] } });
    expect([await valueAt('A'), await valueAt('B')]).toEqual(['a', 'b']);
  });

  test('is refused in words where nothing says what or where to', async () => {
    expect((await move([], { env: 'prod' })).status).toBe(422);
    expect(await move([{ env: 'dev', key: 'A' }], {})).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/to', detail: 'must name an environment or a folder' }] },
    });
    const many = Array.from({ length: 501 }, (_, n) => ({ env: 'dev', key: `K${n}` }));
    expect((await move(many, { env: 'prod' })).status).toBe(422);
  });

  test('asks for every version in a vault where changes must say what they replace', async () => {
    await put('A', 'a');
    await ada.session('PATCH', ada.vaultPath, { body: { requires_preconditions: true } });
    expect(await move([{ env: 'dev', key: 'A' }], { env: 'prod' })).toMatchObject({
      status: 428,
      json: { errors: [{ pointer: '/secrets/0/if_version' }] },
    });
    expect((await move([{ env: 'dev', key: 'A', if_version: 1 }], { env: 'prod' })).status).toBe(200);
  });

  test('with an idempotency key is done once', async () => {
    await put('A', 'a');
    const key = { 'idempotency-key': 'move-1' };
    const list = [{ env: 'dev', key: 'A' }];
    expect((await move(list, { env: 'prod' }, key)).status).toBe(200);
    const again = await move(list, { env: 'prod' }, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await events()).toHaveLength(1);
  });
});

describe('a token', () => {
  test('moves only with the right to write, and only where it may go', async () => {
    await put('A', 'a');
    const body = { secrets: [{ env: 'dev', key: 'A' }], to: { env: 'prod' } };
    const reader = await ada.token(['secrets:read']);
    expect((await reader('POST', `${ada.vaultPath}/move`, { body })).status).toBe(403);
    const limited = await ada.token(['secrets:write', 'secrets:delete'], {
      environments: ['dev', 'staging'],
    });
    expect((await limited('POST', `${ada.vaultPath}/move`, { body })).status).toBe(404);
    expect((await limited('PATCH', at('A'), { body: { env: 'prod' } })).status).toBe(404);
    const out = { secrets: [{ env: 'prod', key: 'A' }], to: { env: 'dev' } };
    expect((await limited('POST', `${ada.vaultPath}/move`, { body: out })).status).toBe(404);
    const staging = { ...body, to: { env: 'staging' } };
    expect((await limited('POST', `${ada.vaultPath}/move`, { body: staging })).status).toBe(200);
    const grace = await api.user('Grace');
    expect((await grace.session('POST', `${ada.vaultPath}/move`, { body })).status).toBe(404);
  });

  test('takes a secret out of an environment only with the right to delete it there', async () => {
    await put('A', 'a', 'prod');
    await put('B', 'b');
    const writer = await ada.token(['secrets:write']);
    const moveAll = (to: object) =>
      writer('POST', `${ada.vaultPath}/move`, {
        body: {
          secrets: [
            { env: 'dev', key: 'B' },
            { env: 'prod', key: 'A' },
          ],
          to,
        },
      });
    const refused = { status: 403, json: { code: 'insufficient_scope' } };
    const moved = await moveAll({ env: 'dev' });
    expect(moved).toMatchObject(refused);
    expect(moved.headers.get('www-authenticate')).toContain('secrets:delete');
    const patched = await writer('PATCH', at('A', 'prod'), { body: { env: 'dev', note: 'mine now' } });
    expect(patched).toMatchObject(refused);
    expect([await valueAt('A', 'prod'), await valueAt('B')]).toEqual(['a', 'b']);

    expect((await moveAll({ path: '/new/' })).status).toBe(200);
    const renamed = { env: 'prod', path: '/', key: 'A2' };
    expect((await writer('PATCH', at('A', 'prod', '/new/'), { body: renamed })).status).toBe(200);
    expect(await valueAt('A2', 'prod')).toBe('a');
  });
});

test('moves that meet at one place, and writes to it, lose nothing: one wins and the others are told', async () => {
  for (let round = 0; round < 5; round += 1) {
    const key = `RACE_${round}`;
    await put(key, 'from dev');
    await put(key, 'from staging', 'staging');
    const replies = await Promise.all([
      move([{ env: 'dev', key }], { env: 'prod' }),
      move([{ env: 'staging', key }], { env: 'prod' }),
      ada.session('PUT', at(key, 'prod'), { body: { value: 'written' }, headers: { 'if-none-match': '*' } }),
    ]);
    const won = replies.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    const values = [await valueAt(key), await valueAt(key, 'staging'), await valueAt(key, 'prod')];
    const expected = ['from dev', 'from staging', ...(replies[2]?.status === 201 ? ['written'] : [])];
    expect(values.filter((value) => value !== undefined).sort()).toEqual(expected.sort());
  }
}, 60_000);
