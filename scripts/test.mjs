import './require-node.mjs';

const { existsSync } = await import('node:fs');
const { prepare, root } = await import('./prepare.mjs');
const { runCommand } = await import('./run-command.mjs');

await prepare();

// Arguments go to jest: `npm test -- --selectProjects unit`, `npm test -- settings`.
const args = process.argv.slice(2);
const chromium = process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium';
const projects = ['unit', 'database', 'with-model'];
if (existsSync(chromium)) projects.push('browser');
else process.stdout.write('hearth: skipping the browser tests: no Chromium found (set HEARTH_CHROMIUM)\n');

const { code } = await runCommand(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    `${root}/node_modules/jest/bin/jest.js`,
    ...(args.includes('--selectProjects') ? [] : ['--selectProjects', ...projects]),
    ...args,
  ],
  { cwd: root },
);
process.exit(code);
