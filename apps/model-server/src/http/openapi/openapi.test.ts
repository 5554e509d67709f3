import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { expect, test } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import { createTestApp } from '../../../test/create-test-app.js';
import { openModelLibrary } from '../../models/open-model-library.js';
import type { OpenApiDocument } from './openapi-document.js';

const library = openModelLibrary({
  storeFolder: path.join(tmpdir(), 'hearth-that-is-never-written'),
  modelFolders: [],
  bundledModelPath: 'none.gguf',
  logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
});
const { app } = createTestApp({ library });

interface RouterLayer {
  readonly route?: {
    readonly path: string | readonly string[];
    readonly methods: Readonly<Record<string, boolean>>;
  };
  readonly handle?: { readonly stack?: readonly RouterLayer[] };
}

function routesOf(layers: readonly RouterLayer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (!route) return routesOf(handle?.stack ?? []);
    const methods = Object.keys(route.methods).filter((method) => method !== '_all' && method !== 'head');
    return [route.path]
      .flat()
      .flatMap((route) => methods.map((method) => `${method} ${route.replace(/[*:](\w+)/g, '{$1}')}`));
  });
}

async function documents(): Promise<readonly OpenApiDocument[]> {
  const index = (await request(app).get('/openapi.json').expect(200)).body;
  return await Promise.all(
    index.documents.map(
      async ({ url }: { url: string }) => (await request(app).get(url).expect(200)).body as OpenApiDocument,
    ),
  );
}

/** About the server itself, not about a family. */
const ownPaths = /^get \/($|healthz|readyz|metrics|.*openapi\.json)/;

test('routes and documents agree: every route is described, and nothing else is', async () => {
  const routes = routesOf((app as Express & { router: { stack: RouterLayer[] } }).router.stack);
  const described = (await documents()).flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    ),
  );
  const offered = routes.filter((route) => !ownPaths.test(route));
  expect([...described].filter((operation) => !operation.startsWith('head ')).sort()).toEqual(offered.sort());
});

test('every reference of a document leads somewhere', async () => {
  for (const document of await documents()) {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    const known = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    );
    expect(names.filter((name) => !known.has(name as string))).toEqual([]);
    expect(names.length).toBeGreaterThan(5);
  }
});

test('a request is described with the fields that its schema reads', async () => {
  const [runner] = await documents();
  expect(runner?.openapi).toBe('3.1.0');
  expect(runner?.components.schemas['RunnerGenerateRequest']).toMatchObject({
    type: 'object',
    required: ['model'],
    properties: { prompt: {}, options: {}, keep_alive: {} },
  });
});
