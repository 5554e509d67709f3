import { scopeNames } from '@hearth/protocol-types/vault/scope';
import { beforeAll, expect, test } from '@jest/globals';
import type { ApiReply, ApiRequest, TokenCall } from '../../test/api.js';
import { ada, api, givenApi } from '../../test/given-api.js';
import type { DocumentedOperation, OpenApiDocument } from '../http/documentation/openapi-document.js';

/** A place in one of two vaults, each with the environments dev, staging and prod. */
interface Place {
  readonly vaultId: string;
  readonly environment: string;
}

interface Fixture {
  readonly own: Place;
  readonly otherEnvironment: Place;
  readonly otherVault: Place;
  /** All of them hold every scope. */
  readonly tokens: Readonly<Record<Limit | 'none', TokenCall>>;
}

type Limit = 'vaults' | 'environments' | 'both';
type Call = readonly [method: string, path: string, request?: ApiRequest];

/**
 * What a token that is limited to a vault, to an environment, or to both can do with an operation:
 * - place: only in a place that it may use; any other does not exist for it
 * - vault: only in a vault that it may use, and sees nothing of other environments there
 * - whole vault: nothing if it is limited to environments, for it would reach others, too
 * - account: nothing, whatever it is limited to
 * - itself: it learns and changes nothing of any place
 */
type Reach = 'place' | 'vault' | 'whole vault' | 'account' | 'itself';

const vaultAt = ({ vaultId }: Place) => `/api/secrets/vaults/${vaultId}`;
const secretAt = (place: Place, more = '', key = 'KEY') =>
  `${vaultAt(place)}/secrets/${key}${more}?env=${place.environment}`;
const environmentAt = (place: Place) => `${vaultAt(place)}/environments/${place.environment}`;

const decisions: Readonly<Record<string, readonly [Reach, (place: Place, fixture: Fixture) => Call]>> = {
  listVaults: ['vault', () => ['GET', '/api/secrets/vaults']],
  createVault: ['account', () => ['POST', '/api/secrets/vaults', { body: { name: 'New' } }]],
  getVault: ['vault', (place) => ['GET', vaultAt(place)]],
  updateVault: ['whole vault', (place) => ['PATCH', vaultAt(place), { body: { name: 'Renamed' } }]],
  deleteVault: ['whole vault', (place) => ['DELETE', vaultAt(place)]],

  listEnvironments: ['vault', (place) => ['GET', `${vaultAt(place)}/environments`]],
  createEnvironment: [
    'whole vault',
    (place) => ['POST', `${vaultAt(place)}/environments`, { body: { slug: 'qa' } }],
  ],
  updateEnvironment: ['whole vault', (place) => ['PATCH', environmentAt(place), { body: { slug: 'qa' } }]],
  deleteEnvironment: ['whole vault', (place) => ['DELETE', `${environmentAt(place)}?cascade=true`]],

  listSecrets: ['vault', (place) => ['GET', `${vaultAt(place)}/secrets?include=values`]],
  getSecret: ['place', (place) => ['GET', secretAt(place)]],
  putSecret: ['place', (place) => ['PUT', secretAt(place), { body: { value: 'changed' } }]],
  updateSecret: ['place', (place) => ['PATCH', secretAt(place), { body: { note: 'changed' } }]],
  deleteSecret: ['place', (place) => ['DELETE', secretAt(place)]],
  restoreSecret: ['place', (place) => ['POST', secretAt(place, '/restore', 'GONE')]],
  moveSecrets: [
    'place',
    (place) => {
      const body = { secrets: [{ env: place.environment, key: 'KEY' }], to: { path: '/moved/' } };
      return ['POST', `${vaultAt(place)}/move`, { body }];
    },
  ],
  listVersions: ['place', (place) => ['GET', secretAt(place, '/versions')]],
  getVersion: ['place', (place) => ['GET', secretAt(place, '/versions/1')]],
  rollbackSecret: ['place', (place) => ['POST', secretAt(place, '/rollback'), { body: { version: 1 } }]],
  runBatch: [
    'place',
    (place) => {
      const step = { op: 'put', env: place.environment, key: 'KEY', value: 'changed' };
      return ['POST', `${vaultAt(place)}/batch`, { body: { operations: [step] } }];
    },
  ],
  importSecrets: [
    'place',
    (place) => ['POST', `${vaultAt(place)}/import?env=${place.environment}`, { body: { KEY: 'changed' } }],
  ],
  exportSecrets: ['place', (place) => ['GET', `${vaultAt(place)}/export?env=${place.environment}`]],

  listTokens: ['account', () => ['GET', '/api/secrets/tokens']],
  getToken: ['account', (_place, { tokens }) => ['GET', `/api/secrets/tokens/${tokens.none.id}`]],
  whoAmI: ['itself', () => ['GET', '/api/secrets/token']],
  revokeSelf: ['itself', () => ['DELETE', '/api/secrets/token']],
  listScopes: ['itself', () => ['GET', '/api/secrets/scopes']],
  // Whoever has the value of a token can as well ask with it what it is.
  introspectToken: [
    'itself',
    (_place, { tokens }) => [
      'POST',
      '/api/secrets/introspect',
      { body: new URLSearchParams({ token: tokens.both.value }) },
    ],
  ],

  listAuditEvents: ['account', () => ['GET', '/api/secrets/audit']],
  exportAuditEvents: ['account', () => ['GET', '/api/secrets/audit/export.ndjson']],
  verifyAuditLog: ['account', () => ['GET', '/api/secrets/audit/verify']],
};

givenApi();

let operations: readonly (DocumentedOperation & { readonly method: string; readonly path: string })[];

beforeAll(async () => {
  const { paths } = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as OpenApiDocument;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
});

let made: Promise<Fixture> | undefined;

/** The one for all that only read. */
function untouched(): Promise<Fixture> {
  made ??= fixture();
  return made;
}

/** Every place holds KEY in two versions and GONE in the trash; what is elsewhere says so. */
async function fixture(): Promise<Fixture> {
  const vaultIds: string[] = [];
  for (const vault of ['Own', 'Elsewhere']) {
    const { json } = await ada.session('POST', '/api/secrets/vaults', { body: { name: vault } });
    vaultIds.push(json.id);
    const operations = ['dev', 'prod'].flatMap((env) => {
      const where = vault === 'Own' && env === 'dev' ? 'here' : 'elsewhere';
      return [
        { op: 'put', env, key: 'KEY', value: `first ${where}`, note: where },
        { op: 'put', env, key: 'KEY', value: `second ${where}` },
        { op: 'put', env, key: 'GONE', value: where },
        { op: 'delete', env, key: 'GONE' },
      ];
    });
    const filled = await ada.session('POST', `/api/secrets/vaults/${json.id}/batch`, {
      body: { operations },
    });
    expect(filled.status).toBe(200);
  }
  const [own, elsewhere] = vaultIds as [string, string];
  const limits = { vaultIds: [own], environments: ['dev'] };
  return {
    own: { vaultId: own, environment: 'dev' },
    otherEnvironment: { vaultId: own, environment: 'prod' },
    otherVault: { vaultId: elsewhere, environment: 'dev' },
    tokens: {
      none: await ada.token(scopeNames),
      vaults: await ada.token(scopeNames, { vaultIds: limits.vaultIds }),
      environments: await ada.token(scopeNames, { environments: limits.environments }),
      both: await ada.token(scopeNames, limits),
    },
  };
}

/** A batch says of any failure that nothing was written, and of what kind it was in a field. */
const codeOf = ({ json }: ApiReply): string => json?.failed_code ?? json?.code;

const limits: readonly Limit[] = ['vaults', 'environments', 'both'];
const cases = Object.entries(decisions).map(([id, [reach, call]]) => ({ id, reach, call }));

test('of every operation that a token can call, it is decided what a limited one can do with it', () => {
  const forTokens = operations.filter(({ 'x-access': { kind } }) => kind !== 'session' && kind !== 'public');
  expect(Object.keys(decisions).sort()).toEqual(forTokens.map(({ operationId }) => operationId).sort());
});

test('what is for sessions is for no token', async () => {
  const { tokens } = await fixture();
  for (const { method, path, 'x-access': access } of operations) {
    if (access.kind !== 'session') continue;
    const address = path.replace(/\{(\w*id)\}/g, crypto.randomUUID()).replace(/\{\w+\}/g, '1');
    for (const limit of ['none', ...limits] as const) {
      const reply = await tokens[limit](method.toUpperCase(), address);
      expect([path, reply.status, reply.json.code]).toEqual([path, 403, 'forbidden']);
    }
  }
});

test.each(cases)('a limited token and $id: $reach', async ({ id, reach, call }) => {
  const given = id.startsWith('list') || id.startsWith('get') ? await untouched() : await fixture();
  const { own, otherVault, otherEnvironment, tokens } = given;
  const ask = (limit: Limit | 'none', place: Place) => tokens[limit](...call(place, given));
  const refusedAt = async (limit: Limit, place: Place) => codeOf(await ask(limit, place));
  const places = [own, otherVault, otherEnvironment];

  if (reach === 'account' || reach === 'whole vault') {
    for (const limit of reach === 'account' ? limits : (['environments', 'both'] as const)) {
      for (const place of places) {
        const refused = await ask(limit, place);
        expect([limit, refused.status, codeOf(refused)]).toEqual([limit, 403, 'forbidden']);
        expect(refused.json.detail).toMatch(/^This token is limited to /);
      }
    }
    if (reach === 'whole vault') expect(await refusedAt('vaults', otherVault)).toBe('not_found');
    expect((await ask(reach === 'account' ? 'none' : 'vaults', own)).status).toBeLessThan(300);
    return;
  }
  if (reach === 'place' || (reach === 'vault' && id !== 'listVaults')) {
    for (const limit of ['vaults', 'both'] as const) {
      expect(await refusedAt(limit, otherVault)).toBe('not_found');
    }
  }
  if (reach === 'place') {
    for (const limit of ['environments', 'both'] as const) {
      expect(await refusedAt(limit, otherEnvironment)).toBe('not_found');
    }
  }
  // What changes something succeeds once.
  for (const limit of reach === 'vault' ? limits : (['both'] as const)) {
    const allowed = await ask(limit, own);
    expect(allowed.status).toBeLessThan(300);
    if (limit !== 'vaults') expect(allowed.text).not.toMatch(/elsewhere|"prod"/);
    if (limit !== 'environments') expect(allowed.text).not.toContain(otherVault.vaultId);
  }
});

test('no way of listing secrets shows a limited token more: the trash, a search, a page of somebody else', async () => {
  const { own, tokens } = await untouched();
  const list = `${vaultAt(own)}/secrets`;
  const wide = await tokens.none('GET', `${list}?limit=1`);
  const next = /^<([^>]+)>/.exec(wide.headers.get('link') ?? '')?.[1] as string;
  for (const address of [`${list}?trash=true`, `${list}?q=e`, next]) {
    const seen = await tokens.environments('GET', address);
    expect(seen.status).toBe(200);
    expect(seen.text).not.toMatch(/elsewhere|"prod"/);
  }
  for (const query of ['env=prod', 'env=prod&trash=true', 'env=prod&include=values']) {
    expect(codeOf(await tokens.environments('GET', `${list}?${query}`))).toBe('not_found');
  }
});

test('neither a move nor a batch takes a limited token across its borders', async () => {
  const { own, tokens } = await fixture();
  for (const [from, to] of [
    ['dev', 'prod'],
    ['prod', 'dev'],
  ]) {
    const secrets = [{ env: from, key: 'KEY' }];
    const moved = await tokens.environments('POST', `${vaultAt(own)}/move`, {
      body: { secrets, to: { env: to, path: '/moved/' } },
    });
    expect(codeOf(moved)).toBe('not_found');
    const patched = await tokens.environments('PATCH', secretAt({ ...own, environment: from as string }), {
      body: { env: to, path: '/moved/' },
    });
    expect(codeOf(patched)).toBe('not_found');
  }
  const operations = [
    { op: 'put', env: 'dev', key: 'NEW', value: 'v' },
    { op: 'put', env: 'prod', key: 'NEW', value: 'v' },
  ];
  const batch = await tokens.environments('POST', `${vaultAt(own)}/batch`, { body: { operations } });
  expect(batch.json).toMatchObject({ failed_index: 1, failed_code: 'not_found' });
  expect((await ada.session('GET', secretAt(own, '', 'NEW'))).status).toBe(404);
});
