import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// The arrows of docs/architecture.md: which file may import what. Each wrong one is planted in a copy of the tree
// and must be refused by the linter; each right one must pass.
const wrongArrows = [
  ['apps/model-server/src/generation/planted.ts', '../http/dialect.js'],
  ['apps/model-server/src/generation/planted.ts', 'express'],
  ['apps/model-server/src/protocols/runner/planted.ts', '../completions/render-error.js'],
  ['apps/model-server/src/protocols/completions/planted.ts', '../messages/render-error.js'],
  ['apps/model-server/src/protocols/messages/planted.ts', '../runner/render-error.js'],
  ['apps/model-server/src/protocols/runner/planted.ts', '../../engine/engine.js'],
  ['apps/model-server/src/http/planted.ts', '../protocols/runner/render-error.js'],
  ['apps/model-server/src/http/planted.ts', 'node-llama-cpp'],
  ['apps/model-server/src/models/planted.ts', 'express'],
  ['apps/model-server/src/create-planted.ts', 'node-llama-cpp'],
  ['apps/model-server/src/engine/child/planted.ts', '../../http/dialect.js'],
  ['apps/vault/src/secrets/planted-routes.ts', './secret-repository.js'],
  ['apps/vault/src/secrets/planted-routes.ts', 'drizzle-orm'],
  ['apps/vault/src/secrets/planted-service.ts', 'express'],
  ['apps/vault/src/secrets/planted-service.ts', '../tokens/token-repository.js'],
  ['apps/vault/src/secrets/planted-repository.ts', './secret-service.js'],
  ['apps/vault/src/crypto/planted.ts', '../db/client.js'],
  ['apps/vault/console/src/features/secrets/planted.ts', '../../../../src/errors/vault-error.js'],
  ['apps/vault/console/src/features/secrets/planted.ts', 'zod'],
  ['apps/vault/console/src/api/planted.ts', '../features/tokens/token-draft.js'],
  ['packages/protocol-types/src/runner/planted.ts', 'express'],
  ['packages/auth-middleware/src/planted.ts', '@hearth/protocol-types/runner/error'],
  ['test/planted.ts', '../apps/vault/src/tokens/token-service.js'],
] as const;

const rightArrows = [
  ['apps/model-server/src/generation/planted.ts', './message.js'],
  ['apps/model-server/src/protocols/runner/planted.ts', '../../generation/message.js'],
  ['apps/model-server/src/protocols/messages/planted.ts', '../../http/dialect.js'],
  ['apps/model-server/src/http/planted.ts', '../generation/message.js'],
  ['apps/model-server/src/engine/child/planted.ts', 'node-llama-cpp'],
  ['apps/model-server/src/engine/child/planted.ts', '../../generation/message.js'],
  ['apps/vault/src/secrets/planted-routes.ts', './secret-service.js'],
  ['apps/vault/src/secrets/planted-service.ts', '../tokens/token-service.js'],
  ['apps/vault/src/secrets/planted-service.ts', './secret-repository.js'],
  ['apps/vault/src/secrets/planted-repository.ts', 'drizzle-orm'],
  ['apps/vault/console/src/features/secrets/planted.ts', '@hearth/protocol-types/vault/limits'],
  ['apps/vault/console/src/features/secrets/planted.ts', '../../api/secret-api.js'],
  ['test/planted.ts', '../apps/vault/test/start-program.js'],
] as const;

const root = path.resolve(import.meta.dirname, '..');
let folder: string;
let refusedFiles: Set<string>;

/** One file per arrow, so that one run of the linter judges them all. */
function plantedPath(kind: string, index: number, file: string): string {
  return file.replace(/planted/, `${kind}-${index}-planted`);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-zones-'));
  const config = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
  delete config.$schema;
  delete config.vcs;
  await writeFile(path.join(folder, 'biome.json'), JSON.stringify(config));
  const plant = async (kind: string, arrows: readonly (readonly [string, string])[]) => {
    for (const [index, [file, specifier]] of arrows.entries()) {
      const target = path.join(folder, plantedPath(kind, index, file));
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, `import { thing } from '${specifier}';\n\nexport const other = thing;\n`);
    }
  };
  await plant('wrong', wrongArrows);
  await plant('right', rightArrows);
  const realFolder = await realpath(folder);
  const biome = path.join(root, 'node_modules/.bin/biome');
  const { stdout } = await promisify(execFile)(
    biome,
    ['lint', '--only=style/noRestrictedImports', '--reporter=github', '--max-diagnostics=none', '.'],
    { cwd: folder, maxBuffer: 1 << 24 },
  ).catch((error: { stdout: string }) => error);
  refusedFiles = new Set(
    [...stdout.matchAll(/::error title=lint\/style\/noRestrictedImports,file=([^,]+),/g)].map((match) =>
      path.relative(realFolder, match[1] as string),
    ),
  );
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(wrongArrows.map((arrow, index) => [...arrow, index] as const))(
  '%s must not import %s',
  (file, _specifier, index) => {
    expect(refusedFiles).toContain(plantedPath('wrong', index, file));
  },
);

test.each(rightArrows.map((arrow, index) => [...arrow, index] as const))(
  '%s may import %s',
  (file, _specifier, index) => {
    expect(refusedFiles).not.toContain(plantedPath('right', index, file));
  },
);
