import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiReply, TokenCall } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';
import { untilWaiting } from '../../test/until-waiting.js';

let other: { readonly id: string; readonly path: string };

givenApi();

beforeEach(async () => {
  const made = await ada.session('POST', '/api/secrets/vaults', { body: { name: 'Other' } });
  other = { id: made.json.id, path: `/api/secrets/vaults/${made.json.id}` };
  for (const vault of [ada.vaultPath, other.path]) {
    for (const env of ['dev', 'staging', 'prod']) {
      await ada.session('PUT', `${vault}/secrets/KEY?env=${env}`, { body: { value: `${env} value` } });
    }
  }
});

const rename = (from: string, to: string, vault = ada.vaultPath) =>
  ada.session('PATCH', `${vault}/environments/${from}`, { body: { slug: to } });
const limited = (environments: string[], vaultIds: string[] | null = null) =>
  ada.token(['secrets:read'], { environments, vaultIds });
const shown = async (token: { readonly id: string }) =>
  (await ada.session('GET', `/api/secrets/tokens/${token.id}`)).json;
/** What a token reads in a vault, by every door: one at a time, the list, and the list of environments. */
async function reads(token: TokenCall, vault = ada.vaultPath): Promise<string[]> {
  const environments = (await token('GET', `${vault}/environments`)).json as { slug: string }[];
  const list = (await token('GET', `${vault}/secrets?include=values`)).json as { environment: string }[];
  const readable: string[] = [];
  for (const slug of ['dev', 'staging', 'prod', 'qa', 'live']) {
    const { status } = await token('GET', `${vault}/secrets/KEY?env=${slug}`);
    if (status === 200) readable.push(slug);
  }
  expect(environments.map(({ slug }) => slug).sort()).toEqual([...readable].sort());
  expect(list.map(({ environment }) => environment).sort()).toEqual([...readable].sort());
  return readable;
}

describe('renaming an environment', () => {
  test('takes a token that is limited to it and to this vault along, under the new name', async () => {
    const token = await limited(['staging', 'prod'], [ada.personalVault.id]);
    expect((await rename('staging', 'qa')).status).toBe(200);
    expect(await reads(token)).toEqual(['prod', 'qa']);
    expect((await token('GET', `${ada.vaultPath}/secrets/KEY?env=qa`)).json.value).toBe('staging value');
    expect(await shown(token)).toMatchObject({ environments: ['qa', 'prod'], vault_environments: [] });
  });

  test('leaves a token of several vaults the old name in the others, and gives it the new one here alone', async () => {
    const everywhere = await limited(['staging']);
    const both = await limited(['staging'], [ada.personalVault.id, other.id]);
    await rename('prod', 'qa', other.path);
    await rename('staging', 'qa');
    for (const token of [everywhere, both]) {
      expect(await reads(token)).toEqual(['qa']);
      expect(await reads(token, other.path)).toEqual(['staging']);
      expect(await shown(token)).toMatchObject({
        environments: ['staging'],
        vault_environments: [{ vault_id: ada.personalVault.id, environments: ['qa'] }],
      });
    }
    await rename('qa', 'staging');
    for (const token of [everywhere, both]) {
      expect(await reads(token)).toEqual(['staging']);
      expect((await shown(token)).vault_environments).toEqual([]);
    }
  });

  test('opens nothing to a token that happens to be limited to the new name', async () => {
    const token = await limited(['qa']);
    await rename('prod', 'qa');
    expect(await reads(token)).toEqual([]);
    expect((await shown(token)).vault_environments).toEqual([
      { vault_id: ada.personalVault.id, environments: [] },
    ]);
  });

  test('follows through rotation, grace time and several renames, and narrowing holds afterwards', async () => {
    const token = await limited(['staging', 'prod']);
    const rotated = await ada.session('POST', `/api/secrets/tokens/${token.id}/rotate`, {
      body: { grace_seconds: 3600 },
    });
    await rename('staging', 'qa');
    await rename('qa', 'live');
    expect(await reads(token)).toEqual(['prod', 'live']);
    const call = (method: string, path: string) =>
      api.anonymous(method, path, { headers: { authorization: `Bearer ${rotated.json.token}` } });
    const fresh = Object.assign(call, { value: rotated.json.token as string, id: rotated.json.id as string });
    expect(await reads(fresh)).toEqual(['prod', 'live']);
    const again = await ada.session('POST', `/api/secrets/tokens/${fresh.id}/rotate`);
    expect(again.json.vault_environments).toEqual([
      { vault_id: ada.personalVault.id, environments: ['live', 'prod'] },
    ]);
    const narrowed = { body: { environments: ['prod'] } };
    await ada.session('PATCH', `/api/secrets/tokens/${again.json.id}`, narrowed);
    const last = (method: string, path: string) =>
      api.anonymous(method, path, { headers: { authorization: `Bearer ${again.json.token}` } });
    expect(await reads(Object.assign(last, fresh))).toEqual(['prod']);
  });

  test('is written down with each token that was changed, and with no other', async () => {
    const [mine] = [await limited(['staging']), await limited(['dev']), await ada.token(['secrets:read'])];
    const dead = await limited(['staging']);
    await ada.session('DELETE', `/api/secrets/tokens/${dead.id}`);
    const grace = await api.user('Grace');
    const hers = await grace.token(['secrets:read'], { environments: ['staging'] });
    await rename('staging', 'qa');
    const events = await ada.session('GET', '/api/secrets/audit?action=token.update');
    expect(events.json).toHaveLength(1);
    expect(events.json[0]).toMatchObject({
      target: { kind: 'token', id: mine.id },
      vault_id: ada.personalVault.id,
      meta: { fields: ['environments'], renamed_from: 'staging', renamed_to: 'qa' },
    });
    const [renamed] = (await ada.session('GET', '/api/secrets/audit?action=environment.update')).json;
    expect(renamed.meta).toEqual({ was: 'staging', tokens_changed: 1 });
    expect((await ada.session('GET', '/api/secrets/audit/verify')).json.valid).toBe(true);
    expect((await hers('GET', `${grace.vaultPath}/environments`)).json).toMatchObject([{ slug: 'staging' }]);
  });

  test('that is refused, or only moves the environment, changes no token', async () => {
    const token = await limited(['staging']);
    expect((await rename('staging', 'prod')).status).toBe(409);
    const moved = await ada.session('PATCH', `${ada.vaultPath}/environments/staging`, {
      body: { slug: 'staging', position: 9 },
    });
    expect(moved.status).toBe(200);
    expect(await reads(token)).toEqual(['staging']);
    expect((await ada.session('GET', '/api/secrets/audit?action=token.update')).json).toEqual([]);
  });

  test.each(['rotated', 'made', 'limited'])('takes a token along that is just being %s', async (deed) => {
    const token = await ada.token(['secrets:read'], {
      environments: deed === 'rotated' ? ['staging'] : null,
    });
    const path = `/api/secrets/tokens/${token.id}`;
    const limit = { environments: ['staging'] };
    const change = () => {
      if (deed === 'rotated') return ada.session('POST', `${path}/rotate`);
      if (deed === 'limited') return ada.session('PATCH', path, { body: limit });
      const body = { name: 'new', scopes: ['secrets:read'], ...limit };
      return ada.session('POST', '/api/secrets/tokens', { body });
    };
    // A change waits for the log as its last step: all of it is done then, and nothing can be seen of it yet.
    const log = await api.database.pool.connect();
    let changing: Promise<ApiReply>;
    let renaming: Promise<ApiReply>;
    try {
      await log.query('begin');
      await log.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`audit:${ada.id}`]);
      changing = change();
      await untilWaiting(1);
      renaming = rename('staging', 'qa');
      await untilWaiting(2);
      await log.query('commit');
    } finally {
      log.release();
    }
    expect((await renaming).status).toBe(200);
    expect(await shown((await changing).json)).toMatchObject({
      status: 'active',
      vault_environments: [{ vault_id: ada.personalVault.id, environments: ['qa'] }],
    });
  });

  test('and narrowing a token at the same time both hold', async () => {
    for (let round = 0; round < 4; round += 1) {
      const token = await limited(['staging', 'prod']);
      const narrow = { body: { environments: ['staging'] } };
      const [renamed, narrowed] = await Promise.all([
        rename('staging', 'qa'),
        ada.session('PATCH', `/api/secrets/tokens/${token.id}`, narrow),
      ]);
      expect([renamed.status, narrowed.status]).toEqual([200, 200]);
      expect(await reads(token)).toEqual(['qa']);
      await rename('qa', 'staging');
      expect(await reads(token)).toEqual(['staging']);
    }
  });
});
