import { fork } from 'node:child_process';
import path from 'node:path';
import { root } from './prepare.mjs';

const services = [
  { name: 'model server', entry: 'apps/model-server/dist/cli.js' },
  { name: 'vault', entry: 'apps/vault/dist/cli.js' },
];

/** What a first start needs and a settled one may override: quiet, readable logs and a way to sign in offline. */
const defaults = {
  HEARTH_LOG_LEVEL: 'warn',
  HEARTH_LOG_FORMAT: 'pretty',
  HEARTH_VAULT_STAND_IN: 'true',
};

/** Starts both services, prints where they are, and stops both when either ends or a signal comes. */
export async function startServices() {
  const children = services.map(start);
  let stopping = false;
  const stop = () => {
    stopping = true;
    for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

  // The first service that ends by itself takes the other one with it, and its code is ours.
  let exitCode = 0;
  const ended = children.map(
    (child) =>
      new Promise((resolve) =>
        child.once('exit', (code, signal) => {
          // Told only once: a second signal would end the other one at once, in the middle of its own good order.
          if (!stopping) {
            exitCode = code || (signal ? 1 : 0);
            stop();
          }
          resolve();
        }),
      ),
  );
  const [modelServer, vault] = await Promise.all(children.map(whenReady));
  if (modelServer && vault && !stopping) process.stdout.write(greeting(modelServer, vault));
  await Promise.all(ended);
  process.exit(exitCode);
}

function start({ entry }) {
  return fork(path.join(root, entry), ['serve'], {
    env: { ...defaults, ...process.env },
    // A group of its own: Ctrl-C reaches this process alone, which then stops both in good order.
    detached: true,
  });
}

/** The address a service answers at, or nothing when it ended before it was ready. */
function whenReady(child) {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message?.kind === 'ready') resolve(message.url);
    });
    child.once('exit', () => resolve(undefined));
  });
}

function greeting(modelServer, vault) {
  return `
  Hearth is up.

  model server  ${modelServer}   /api  /v1  /alt/v1
  vault         ${vault}   open it in a browser and sign in

  Paste to try:

    curl ${modelServer}/api/tags
    curl ${vault}/api/secrets/vaults

  Ctrl-C stops both.

`;
}
