import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../../test/api.js';
import { testPublicUrl } from '../../../test/create-test-app.js';
import type { OpenApiDocument } from './openapi-document.js';

let api: TestApi;
let document: OpenApiDocument;

beforeAll(async () => {
  api = await startTestApi();
  document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as OpenApiDocument;
}, 60_000);

afterAll(() => api.close());

interface Layer {
  readonly route?: {
    readonly path: string;
    readonly methods?: Record<string, boolean>;
    readonly stack: { method?: string }[];
  };
  readonly handle?: {
    readonly stack?: Layer[];
    readonly operations?: readonly { readonly method: string; readonly path: string }[];
  };
}

/** Everything that the app really serves, in routers and in tables of operations, as method and path. */
function servedRoutes(layers: readonly Layer[]): string[] {
  return layers.flatMap((layer) => {
    if (layer.route !== undefined) {
      const methods = new Set(
        layer.route.stack.flatMap(({ method }) => (method === undefined ? [] : [method])),
      );
      return [...methods].map(
        (method) => `${method} ${String(layer.route?.path).replace(/:(\w+)/g, '{$1}')}`,
      );
    }
    const operations = layer.handle?.operations?.map(({ method, path }) => `${method} ${path}`) ?? [];
    return [...operations, ...servedRoutes(layer.handle?.stack ?? [])];
  });
}

test('every served route under /api is documented and says who may call it', () => {
  const routes = servedRoutes((api.app as unknown as { router: { stack: Layer[] } }).router.stack);
  const secretsRoutes = routes.filter((route) => / \/api\/(?!openapi)/.test(route));
  expect(secretsRoutes.length).toBeGreaterThan(30);
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(secretsRoutes.sort()).toEqual(documented.sort());
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      const access = operation['x-access'];
      expect(['scopes', 'session', 'token', 'anyone', 'public']).toContain(access.kind);
      if (access.kind === 'scopes') expect(access.scopes.length).toBeGreaterThan(0);
    }
  }
});

const forStrangers = new Map([
  ['/api/providers', 200],
  ['/api/secrets/leaks', 202],
  // Asked without a passphrase, and not sealed.
  ['/api/sys/unseal', 422],
]);

test('no documented operation answers without credentials but those that are meant for strangers', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const address = path.replace(/\{(\w*id)\}/g, crypto.randomUUID()).replace(/\{\w+\}/g, 'KEY');
      const reply = await api.anonymous(method.toUpperCase(), address);
      const wanted = forStrangers.get(path) ?? 401;
      expect([`${method} ${path}`, reply.status]).toEqual([`${method} ${path}`, wanted]);
    }
  }
});

test('every reference in the document leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty([name as string]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('the page of documentation lists every operation and needs nothing from anywhere', async () => {
  const response = await fetch(`${api.url}/docs`);
  const html = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] as string;
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  // Links lead within the vault, and only its own icon is loaded.
  expect(html).not.toMatch(/<script|src=|@import|href="(?![#/])/);
  expect(html).toContain(`${testPublicUrl}/api/secrets/vaults`);
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) expect(html).toContain(`id="${operation.operationId}"`);
  }
});

test('the page says of every schema what its fields are, and each of its links leads to a place on it', async () => {
  const html = await (await fetch(`${api.url}/docs`)).text();
  for (const name of Object.keys(document.components.schemas)) expect(html).toContain(`id="schema-${name}"`);
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${target}"`);
  expect(html).not.toContain('undefined');
});
