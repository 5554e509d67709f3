import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow, fingerprint, unlessUpToDate } from './fingerprint.mjs';
import { fail, runCommand } from './run-command.mjs';

export const root = path.resolve(import.meta.dirname, '..');
export const bin = (name) => path.join(root, 'node_modules', '.bin', name);

const consoleFolder = path.join('apps', 'vault', 'console');

/** Installs from the frozen lockfile and builds, each only when its input has changed since the last time. */
export async function prepare() {
  await install();
  await buildServices();
  await buildConsole();
}

export async function install() {
  const { packageManager } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const manifests = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];
  for (const group of ['apps', 'packages']) {
    for (const file of await filesBelow(root, group))
      if (path.basename(file) === 'package.json') manifests.push(file);
  }
  const wanted = await fingerprint(root, manifests);
  const stampFile = path.join(root, 'node_modules', '.installed');
  await unlessUpToDate({ stampFile, wanted, made: [] }, async () => {
    say('installing dependencies');
    const { code, output } = await runCommand(
      'npx',
      ['--yes', packageManager, 'install', '--frozen-lockfile'],
      // Without it pnpm asks before it replaces a node_modules folder made by another tool.
      { cwd: root, quiet: true, env: { CI: 'true' } },
    );
    if (code !== 0) fail(`the dependencies could not be installed:\n${output.trim()}`);
  });
}

async function buildServices() {
  const sources = ['package.json', 'tsconfig.base.json', 'tsconfig.build.json', 'pnpm-lock.yaml'];
  for (const group of ['apps', 'packages']) sources.push(...(await filesBelow(root, group)));
  const wanted = await fingerprint(
    root,
    sources.filter((file) => !file.includes('.test.') && !file.startsWith(consoleFolder + path.sep)),
  );
  const stampFile = path.join(root, 'node_modules', '.built');
  const { references } = JSON.parse(await readFile(path.join(root, 'tsconfig.build.json'), 'utf8'));
  const made = references.map((reference) => path.join(root, path.dirname(reference.path), 'dist'));
  await unlessUpToDate({ stampFile, wanted, made }, async () => {
    say('building');
    const { code, output } = await runCommand(bin('tsc'), ['-b', 'tsconfig.build.json'], {
      cwd: root,
      quiet: true,
    });
    if (code !== 0) fail(`the build failed:\n${output.trim()}`);
  });
}

/** The pages that the vault serves. They use the built wire types, so they come after the services. */
async function buildConsole() {
  const wireTypes = path.join('packages', 'protocol-types', 'src', 'vault');
  const sources = [
    'tsconfig.base.json',
    'pnpm-lock.yaml',
    ...(await filesBelow(root, consoleFolder)),
    ...(await filesBelow(root, wireTypes)),
  ];
  const wanted = await fingerprint(
    root,
    sources.filter((file) => !file.includes('.test.') && !file.startsWith(path.join(consoleFolder, 'test'))),
  );
  const stampFile = path.join(root, 'node_modules', '.built-console');
  const made = [path.join(root, 'apps', 'vault', 'dist', 'console')];
  await unlessUpToDate({ stampFile, wanted, made }, async () => {
    say('building the console');
    const vite = path.join(root, consoleFolder, 'node_modules', '.bin', 'vite');
    const { code, output } = await runCommand(vite, ['build', '--logLevel', 'warn'], {
      cwd: path.join(root, consoleFolder),
      quiet: true,
    });
    if (code !== 0) fail(`the build of the console failed:\n${output.trim()}`);
  });
}

function say(text) {
  process.stdout.write(`hearth: ${text}\n`);
}
