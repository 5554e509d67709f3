import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..');

test.each([
  ['docs/settings.md', 'every setting as the programs declare it', 'settings-page.mjs', 'settingsPage'],
  ['docs/errors.md', 'every error as the services answer it', 'errors-page.mjs', 'errorsPage'],
])('%s lists %s', async (page, _, script, exported) => {
  const code = `import('./scripts/${script}').then(async (m) => process.stdout.write(await m.${exported}()))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: root });
  expect(await readFile(path.join(root, page), 'utf8')).toBe(stdout);
});

test('.env.example names what the compose file passes on, and only settings that exist', async () => {
  const page = await readFile(path.join(root, 'docs/settings.md'), 'utf8');
  const example = await readFile(path.join(root, '.env.example'), 'utf8');
  const compose = await readFile(path.join(root, 'docker-compose.yml'), 'utf8');
  const names = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1] as string);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    expect(compose).toContain(`\${${name}:-`);
    if (name !== 'POSTGRES_PASSWORD') expect(page).toContain(`\`${name}\``);
  }
  const passedOn = [...compose.matchAll(/\$\{([A-Z_]+):-/g)].map((match) => match[1] as string);
  expect([...new Set(passedOn)].filter((name) => !names.includes(name))).toEqual([]);
});
