import './require-node.mjs';

const { existsSync } = await import('node:fs');
const { prepare, root } = await import('./prepare.mjs');
const { runCommand } = await import('./run-command.mjs');

await prepare();

// Names of projects choose what runs, everything else goes to jest: `npm test -- unit settings`.
const allProjects = ['unit', 'database', 'with-model', 'browser'];
const given = process.argv.slice(2).filter((argument) => argument !== '--selectProjects');
const chosen = given.filter((argument) => allProjects.includes(argument));
const projects = chosen.length > 0 ? chosen : allProjects;

const chromium = process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium';
const canRun = (project) => project !== 'browser' || existsSync(chromium);
if (!projects.every(canRun)) {
  process.stdout.write(
    `hearth: SKIPPED the browser tests: no Chromium at ${chromium} (set HEARTH_CHROMIUM)\n`,
  );
}

const { code } = await runCommand(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    `${root}/node_modules/jest/bin/jest.js`,
    ...given.filter((argument) => !allProjects.includes(argument)),
    // Last, because jest takes every word after it for a project.
    '--selectProjects',
    ...projects.filter(canRun),
  ],
  { cwd: root },
);
process.exit(code);
