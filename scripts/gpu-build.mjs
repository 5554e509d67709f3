import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './prepare.mjs';
import { fail, runCommand } from './run-command.mjs';

// npm run gpu -- cuda | vulkan | off
//
// The builds of llama.cpp for GPUs weigh hundreds of megabytes, so pnpm-workspace.yaml leaves them all out. This takes
// the ones for this machine off that list, or puts them back, and installs.

const kinds = ['cuda', 'vulkan', 'off'];

const builds = [
  'linux-arm64-cuda',
  'linux-arm64-vulkan',
  'linux-x64-cuda',
  'linux-x64-cuda-ext',
  'linux-x64-vulkan',
  'win-x64-cuda',
  'win-x64-cuda-ext',
  'win-x64-vulkan',
];

export async function installGpuBuild(kind) {
  const platform = `${process.platform}-${process.arch}`;
  if (!kinds.includes(kind)) fail('say which build: npm run gpu -- cuda, vulkan or off', 2);
  if (process.platform === 'darwin') fail('nothing to do: on a Mac the GPU is used as it is');
  const unwanted = buildsToLeaveOut(kind, platform);
  if (kind !== 'off' && unwanted.length === builds.length) fail(`there is no ${kind} build for ${platform}`);
  const file = path.join(root, 'pnpm-workspace.yaml');
  const before = await readFile(file, 'utf8');
  await writeFile(file, leaveOut(before, unwanted));
  process.stdout.write('hearth: installing\n');
  const { packageManager } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const { code, output } = await runCommand(
    'npx',
    ['--yes', packageManager, 'install', '--no-frozen-lockfile'],
    {
      cwd: root,
      quiet: true,
      env: { CI: 'true' },
    },
  );
  if (code !== 0) {
    await writeFile(file, before);
    fail(`the build could not be installed:\n${output.trim()}`);
  }
  process.stdout.write(
    kind === 'off'
      ? 'hearth: the builds for GPUs are gone\n'
      : `hearth: the ${kind} build is installed, "hearth doctor" tells whether it runs here\n`,
  );
}

/** The builds that a machine of this kind does not want, by the names of their packages. */
export function buildsToLeaveOut(kind, platform) {
  const wanted = `${platform.replace('win32', 'win')}-${kind}`;
  return builds.filter((name) => !name.startsWith(wanted));
}

/** The text of pnpm-workspace.yaml with that list of what is left out. */
export function leaveOut(text, names) {
  const list = names.map((name) => `  - '@node-llama-cpp/${name}'\n`).join('');
  return text.replace(/^(ignoredOptionalDependencies:\n)(?: {2}- .*\n)*/m, `$1${list}`);
}
