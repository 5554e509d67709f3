import './require-node.mjs';

const { prepare, root } = await import('./prepare.mjs');
const { fail, runCommand } = await import('./run-command.mjs');

// npm run bench                      all of them
// npm run bench -- --peer URL        all of them; options go to the bench of the models
// npm run bench -- pull --rounds 1   one of them, with its own options
const benches = {
  models: 'apps/model-server/bench/run.mjs',
  pull: 'apps/model-server/bench/pull.mjs',
  vault: 'apps/vault/bench/run.mjs',
};

const given = process.argv.slice(2);
const chosen = given[0]?.startsWith('-') ? undefined : given.shift();
if (chosen !== undefined && !(chosen in benches)) {
  fail(`there is no bench ${chosen}; choose one of ${Object.keys(benches).join(', ')}, or none for all`);
}

await prepare();
for (const name of chosen === undefined ? Object.keys(benches) : [chosen]) {
  const options = chosen === name || name === 'models' ? given : [];
  const { code } = await runCommand(process.execPath, [benches[name], ...options], { cwd: root });
  if (code !== 0) process.exit(code);
}
