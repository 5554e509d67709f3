import './require-node.mjs';

const { readdir } = await import('node:fs/promises');
const { prepare, root, bin } = await import('./prepare.mjs');
const { runCommand } = await import('./run-command.mjs');

// Types of one package come from the built declarations of another, so the build goes first.
await prepare();

const projects = ['scripts', 'test', 'apps/vault/console', 'apps/vault/console/test'];
for (const group of ['packages', 'apps']) {
  for (const name of await readdir(`${root}/${group}`)) projects.push(`${group}/${name}`);
}
const steps = [
  ['lint, format, import zones', bin('biome'), ['check', '--error-on-warnings', '.']],
  ...projects.map((project) => [`types of ${project}`, bin('tsc'), ['-p', `${project}/tsconfig.json`]]),
];

let failed = 0;
for (const [name, command, args] of steps) {
  const { code, output } = await runCommand(command, args, { cwd: root, quiet: true });
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (code !== 0) {
    failed += 1;
    process.stdout.write(output);
  }
}
process.exit(failed === 0 ? 0 : 1);
