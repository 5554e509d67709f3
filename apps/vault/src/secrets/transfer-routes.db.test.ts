import { describe, expect, test } from '@jest/globals';
import { parse as parseByLibrary } from 'dotenv';
import { ageSession } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';

givenApi();

const text = { 'content-type': 'text/plain' };
const importFile = (body: string, query = '') =>
  ada.session('POST', `${ada.vaultPath}/import?env=dev${query}`, { body, headers: text });
const values = async () =>
  Object.fromEntries(
    (await ada.session('GET', `${ada.vaultPath}/secrets?env=dev&include=values`)).json.map(
      (secret: { key: string; value: string }) => [secret.key, secret.value],
    ),
  );

describe('import', () => {
  test('a dry run says what would happen and writes nothing', async () => {
    await importFile('A=1\nB=2\n');
    const plan = await importFile('A=1\nB=3\nC=4\nnonsense\n', '&dry_run=true');
    expect(plan.json).toMatchObject({
      dry_run: true,
      added: ['C'],
      changed: ['B'],
      unchanged: ['A'],
      removed: [],
      errors: [{ line: 4, reason: 'is not NAME=value' }],
    });
    expect(await values()).toEqual({ A: '1', B: '2' });
  });

  test('merge adds and changes, skip only adds, replace also removes', async () => {
    await importFile('A=1\nB=2\n');
    expect((await importFile('B=3\nC=4\n')).json).toMatchObject({ added: ['C'], changed: ['B'] });
    expect(await values()).toEqual({ A: '1', B: '3', C: '4' });
    expect((await importFile('A=9\nD=5\n', '&mode=skip')).json).toMatchObject({
      added: ['D'],
      skipped: ['A'],
    });
    expect(await values()).toEqual({ A: '1', B: '3', C: '4', D: '5' });
    expect((await importFile('A=1\n', '&mode=replace')).json).toMatchObject({ removed: ['B', 'C', 'D'] });
    expect(await values()).toEqual({ A: '1' });
    const trash = await ada.session('GET', `${ada.vaultPath}/secrets?trash=true`);
    expect(trash.json).toHaveLength(3);
  });

  test('a file with a line that cannot be read is refused whole, by line, without its text', async () => {
    const reply = await importFile('A=1\nhunter2-canary\n');
    expect(reply).toMatchObject({ status: 422, json: { errors: [{ pointer: '/line/2' }] } });
    expect(reply.text + api.logText()).not.toContain('hunter2-canary');
    expect(await values()).toEqual({});
  });

  test('takes a flat JSON object, too', async () => {
    const reply = await ada.session('POST', `${ada.vaultPath}/import?env=dev`, {
      body: { A: 'x', N: 7, T: true },
    });
    expect(reply.json.added).toEqual(['A', 'N', 'T']);
    expect(await values()).toEqual({ A: 'x', N: '7', T: 'true' });
    const nested = await ada.session('POST', `${ada.vaultPath}/import?env=dev`, { body: { A: { b: 1 } } });
    expect(nested.status).toBe(422);
  });

  test('needs its scope, and the right to delete for replace', async () => {
    const token = await ada.token(['import:write']);
    const send = (query: string) =>
      token('POST', `${ada.vaultPath}/import?env=dev${query}`, { body: 'A=1', headers: text });
    expect((await send('')).status).toBe(200);
    expect((await send('&mode=replace')).json.code).toBe('insufficient_scope');
    const reader = await ada.token(['secrets:read']);
    expect(
      (await reader('POST', `${ada.vaultPath}/import?env=dev`, { body: 'A=1', headers: text })).status,
    ).toBe(403);
    expect(
      (
        await ada.session('POST', `${ada.vaultPath}/import?env=dev`, {
          body: '<a/>',
          headers: { 'content-type': 'text/xml' },
        })
      ).status,
    ).toBe(415);
  });

  test('six hundred secrets come in at once, up to five thousand in a vault and not one more', async () => {
    await api.database.pool.query(
      `insert into secrets (vault_id, environment_id, key)
       select vault_id, id, 'FILLER_' || n from environments, generate_series(1, 4400) n
       where vault_id = $1 and slug = 'prod'`,
      [ada.personalVault.id],
    );
    const file = Array.from({ length: 600 }, (_, n) => `KEY_${n}=value ${n}`).join('\n');
    expect((await importFile(file)).json.added).toHaveLength(600);
    expect(await values()).toMatchObject({ KEY_0: 'value 0', KEY_599: 'value 599' });
    expect((await importFile('ONE_MORE=1')).json.code).toBe('limit_reached');
    const put = await ada.session('PUT', `${ada.vaultPath}/secrets/ONE_MORE?env=dev`, {
      body: { value: '1' },
    });
    expect(put.json.code).toBe('limit_reached');
  }, 60_000);
});

describe('export', () => {
  const nasty = {
    PEM: '-----BEGIN-----\nabc\n-----END-----\n',
    QUOTES: `it's "quoted"`,
    DOLLAR: '$(id) `id` $HOME',
    SPACES: '  x  ',
    HASH: 'a#b',
  };

  test('what goes out as .env comes in again the same, and by the dotenv library', async () => {
    await ada.session('POST', `${ada.vaultPath}/import?env=dev`, { body: nasty });
    const token = await ada.token(['export:read']);
    const file = await token('GET', `${ada.vaultPath}/export?env=dev`);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="dev.env"');
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(parseByLibrary(file.text)).toEqual(nasty);
    await ada.session('POST', `${ada.vaultPath}/import?env=prod`, { body: file.text, headers: text });
    const copied = await token('GET', `${ada.vaultPath}/export?env=prod&format=json`);
    expect(JSON.parse(copied.text)).toEqual(nasty);
  });

  test('a form that cannot hold a value says which, and gives out nothing', async () => {
    await ada.session('POST', `${ada.vaultPath}/import?env=dev`, { body: nasty });
    const refused = await ada.session('GET', `${ada.vaultPath}/export?env=dev&format=docker`);
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/PEM' }] } });
    expect(refused.text).not.toContain('BEGIN');
    expect((await ada.session('GET', `${ada.vaultPath}/export?env=dev&format=shell`)).text).toContain(
      "export SPACES='  x  '",
    );
    expect((await ada.session('GET', `${ada.vaultPath}/export?env=dev&format=exe`)).status).toBe(422);
  });

  test('is audited with names, and needs its scope or a fresh session', async () => {
    await importFile('A=1');
    const reader = await ada.token(['secrets:read']);
    expect((await reader('GET', `${ada.vaultPath}/export?env=dev`)).status).toBe(403);
    await ada.session('GET', `${ada.vaultPath}/export?env=dev`);
    const [event] = await api.domain.audit.page(ada.id, { action: 'secret.export' }, undefined, 1);
    expect(event?.meta).toEqual({ environment: 'dev', path: '/', format: 'dotenv', count: 1, keys: ['A'] });
    await ageSession(api, ada.id);
    expect((await ada.session('GET', `${ada.vaultPath}/export?env=dev`)).json.code).toBe(
      'reauthentication_required',
    );
  });
});

describe('batch', () => {
  const batch = (operations: unknown[], call = ada.session) =>
    call('POST', `${ada.vaultPath}/batch`, { body: { operations } });

  test('runs every kind of change in order, in one revision of the vault', async () => {
    await importFile('A=1\nB=2');
    await importFile('A=9');
    const before = (await ada.session('GET', ada.vaultPath)).json.revision;
    const reply = await batch([
      { op: 'put', env: 'dev', key: 'C', value: '3', if_version: 0 },
      { op: 'delete', env: 'dev', key: 'B' },
      { op: 'rollback', env: 'dev', key: 'A', version: 1, if_version: 2 },
      { op: 'put', env: 'dev', key: 'C', value: '3' },
    ]);
    expect(
      reply.json.results.map(({ version, changed }: { version: number; changed: boolean }) => [
        version,
        changed,
      ]),
    ).toEqual([
      [1, true],
      [null, true],
      [3, true],
      [1, false],
    ]);
    expect(await values()).toEqual({ A: '1', C: '3' });
    expect((await ada.session('GET', ada.vaultPath)).json.revision).toBe(before + 1);
  });

  test('a step that fails is named, and nothing at all is written', async () => {
    await importFile('A=1');
    const events = (await api.domain.audit.verify(ada.id)).events;
    const reply = await batch([
      { op: 'put', env: 'dev', key: 'A', value: '2' },
      { op: 'put', env: 'dev', key: 'B', value: '2' },
      { op: 'put', env: 'dev', key: 'A', value: '3', if_version: 1 },
    ]);
    expect(reply).toMatchObject({
      status: 409,
      json: { code: 'conflict', failed_index: 2, failed_code: 'precondition_failed', current_version: 2 },
    });
    expect(await values()).toEqual({ A: '1' });
    expect((await api.domain.audit.verify(ada.id)).events).toBe(events + 1);
  });

  test('each step needs its own scope', async () => {
    await importFile('A=1');
    const writer = await ada.token(['secrets:write']);
    expect((await batch([{ op: 'put', env: 'dev', key: 'A', value: '2' }], writer)).status).toBe(200);
    const refused = await batch(
      [
        { op: 'put', env: 'dev', key: 'A', value: '3' },
        { op: 'delete', env: 'dev', key: 'A' },
      ],
      writer,
    );
    expect(refused.json).toMatchObject({
      code: 'insufficient_scope',
      required_scopes: ['secrets:write', 'secrets:delete'],
    });
    expect((await batch([], ada.session)).status).toBe(422);
    expect((await batch([{ op: 'burn', env: 'dev', key: 'A' }])).status).toBe(422);
  });
});
